"""Tools over the Model Context Protocol: dialects become an SDK server, which stdio and HTTP carry."""
