"""HTTP on one port: MCP, REST, health and metrics."""
