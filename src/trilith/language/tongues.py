"""Which language is a text in? Told by the words that stand in any text of a language, its stop words.

A language is listed when there is a stemmer for it. Words are compared in normal form (`language.normal`): `für` is `fur`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from functools import cache, lru_cache
from itertools import chain, islice

from trilith.language.stops import STOP_WORDS
from trilith.language.words import characters, words

ENGLISH = "english"

LEAST = 2
"""Distinct stop words of another language from which a text is taken to be in it, if it has fewer English ones."""
LOOKED_AT = 300
"""Distinct words of a text."""

_OTHERS: Mapping[str, str] = {
    "arabic": """في من على إلى عن مع هذا هذه ذلك التي الذي الذين هو هي هم كان كانت يكون لم لن لا ما ماذا متى أين كيف كم هل لماذا من
        أو و ثم قد كل بعد قبل عند بين أن إن إذا حتى أي أية غير منذ خلال فقط أيضا كما لقد هناك هنا بها به له لها فيه فيها منها
        منه عليه عليها""",
    "danish": """og i jeg det at en den til er som på de med han af for ikke der var mig sig men et har om vi min havde ham hun
        nu over da fra du ud sin dem os op man hans hvor hvad hvem hvilken hvilket hvilke hvornår hvordan hvorfor skal ville
        kunne kan blev bliver blive eller efter ved mange også uden under når fordi sådan""",
    "dutch": """de en van ik te dat die in een hij het niet zijn is was op aan met als voor had er maar om hem dan zou of wat
        mijn men dit zo door over ze zich bij ook tot je mij uit der daar haar naar heb hoe heeft hebben deze u want nog zal
        me zij nu ge geen omdat iets worden wordt werd werden toch al waren veel meer doen toen moet ben zonder kan hun dus
        alles onder ja wie welke welk waar wanneer waarom hoeveel""",
    "finnish": """ja on ei se että en oli hän mutta ovat kuin niin tai kun vain myös mitä mikä missä mistä mihin milloin miksi
        miten kuka kenen ketkä minkä montako kuinka joka jotka jossa josta olla ole ollut olivat sen sitä siitä siinä tämä
        tämän nämä ne he minä sinä me te jos sekä vai koska ennen jälkeen kanssa""",
    "french": """au aux avec ce ces dans de des du elle elles en et eux il ils je la le les leur leurs lui ma mais me même mes
        moi mon ne nos notre nous on ou par pas pour qu que qui quoi quel quelle quels quelles quand combien comment pourquoi
        où sa se ses son sur ta te tes toi ton tu un une vos votre vous c d j l m n s t y est sont était étaient été être a
        ont avait avoir fait sans sous entre depuis comme plus cette cet dont chez vers très aussi""",
    "german": """aber als also am an auf aus bei bin bis da damit das dass dein dem den der des die diese diesem diesen dieser
        dieses doch dort du durch ein eine einem einen einer eines er es etwas für gegen gibt hat hatte haben hier ich ihr ihre
        im in ist ja jede jeder jedes kann kein keine man mehr mein mit muss nach nicht noch nun nur ob oder ohne schon sehr
        sein seine seit sich sie sind so soll über um und uns unser unter vom von vor war waren warum was wegen weil welche
        welchem welchen welcher welches wem wen wenn wer werden wie wieder wir wird wo wofür woher wohin womit wozu wurde
        wurden zu zum zur zwischen wann wieviel""",
    "greek": """ο η το οι τα του της των τον την και κι να με σε στο στη στην στον στους στις στα για από ως που πως δεν θα είναι
        ήταν αν ή αλλά όταν όπως πριν μετά μεταξύ χωρίς αυτό αυτή αυτός αυτά αυτοί ένα ένας μια μία τι ποιος ποια ποιο ποιοι
        ποιες πότε πού πώς πόσο πόσα πόσοι γιατί τους τις μας σας έχει έχουν είχε""",
    "hungarian": """a az és hogy nem is egy de ha ez meg csak már mint vagy volt van voltak vannak lesz el ki be fel le kell
        mi mit miért mikor hol hova honnan hogyan hány mennyi milyen melyik ki kit kinek aki amely ami azt ezt ezek azok
        még úgy így itt ott után előtt között szerint minden sem nincs lehet""",
    "italian": """ad al allo ai agli alla alle con col da dal dallo dai dagli dalla dalle di del dello dei degli della delle in
        nel nello nei negli nella nelle su sul sullo sui sugli sulla sulle per tra fra contro io tu lui lei noi voi loro mio
        mi ti ci vi lo la li le gli ne il un uno una ma ed se perché anche come dov dove che chi cui non più quale quali quando
        quanto quanta quanti quante quanto quello questo questa questi queste si tutto tutti a e i o è sono era erano ha hanno
        essere stato stata cosa""",
    "norwegian": """og i jeg det at en et den til er som på de med han av ikke der så var meg seg men har om vi min mitt ha hadde
        hun nå over da ved fra du ut sin dem oss opp man kan hans hvor eller hva hvem hvilken hvilket hvilke når hvordan hvorfor
        skal selv her alle vil ble blei blitt bli kunne inn være kom noe ville mange etter uten også bare""",
    "portuguese": """de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das à seu sua ou
        quando muito nos já eu também só pelo pela até isso ela entre depois sem mesmo aos seus quem nas me esse eles você
        essa num nem suas meu às minha numa pelos elas qual quais quanto quanta quantos quantas onde porque por foi foram é são
        era eram está estava ser tem têm este esta isto""",
    "romanian": """și în de la cu pe că a al ai ale o un una unui unei nu se este sunt era erau fost fi ce care cine când unde cum
        câți câte din pentru prin după între fără sau dar mai lui ei lor îi îl le sa sau său săi acest această acesta
        aceasta aceste acei cel cea cei cele dacă ca am au are ar""",
    "russian": """а без более бы был была были было быть в вам вас весь во вот все всего вы где да для до его ее если есть еще же
        за здесь и из или им их к как какая какие каким каких какого какое какой какова каков какому когда кого который которая
        которые кто куда ли мне много может мы на над не него нее нет ни них но о об он она они оно от откуда по под после почему
        при про с сколько со среди так такой там то того тоже только том ты у уже чей чем что чтобы чего чему эта эти это этого
        этой этом этот я""",
    "spanish": """a al algo ante antes como con contra cual cuáles cuando cuánto cuánta cuántos cuántas cada de del desde donde
        durante e el ella ellas ellos en entre era eran es esa ese eso está estaba están este esto estos fue fueron ha había han
        hasta hay la las le les lo los más me mi mucho muy nada ni no nos o os otra otro para pero poco por porque qué quién
        quiénes se ser si sin sobre son su sus también tan te tiene tienen todo todos tu un una uno unos y ya yo""",
    "swedish": """och det att i en jag hon som han på den med var sig för så till är men ett om hade de av icke mig du henne då
        sin nu har inte hans honom skulle hennes där min man ej vid kunde något från ut när efter upp vi dem vara vad över än
        dig kan sina här ha mot alla under någon eller allt mycket sedan denna själv detta åt utan varit hur ingen mitt ni bli
        blev oss dessa vilken vilket vilka vem varför vars blir""",
    "turkish": """acaba ama ancak bana bazı ben bir biri birkaç biz bu bunu buna bunun çok çünkü da daha de defa diye en gibi göre
        hangi hangisi hem hep her hiç için ile ise kadar kaç ki kim kimi kimin kimler mi mı mu mü nasıl ne neden nedir nerede
        nereden nereye niçin niye o olan olarak oldu olduğu on onlar onu onun sonra şey şu tüm üzere var ve veya ya yani yok
        beri önce zaman""",
}

OTHERS = tuple(_OTHERS)
"""All but English."""

LATIN = tuple(language for language in OTHERS if language not in ("arabic", "greek", "russian"))
"""Of these the ones that are written in Latin letters."""


def tongue(found: Iterable[str]) -> str:
    """The language of a text, given its words in normal form; English where nothing speaks for another."""
    distinct = islice(dict.fromkeys(found), LOOKED_AT)
    hits = Counter(chain.from_iterable(filter(None, map(_languages_of_words().get, distinct))))
    best = max(OTHERS, key=hits.__getitem__)
    return best if hits[best] >= LEAST and hits[best] > hits[ENGLISH] else ENGLISH


def stop_words(language: str) -> Collection[str]:
    """In normal form."""
    return STOP_WORDS if language == ENGLISH else _stop_words(language)


def content_words(words: Iterable[str]) -> list[str]:
    """The distinct words that a question is about, in order: no stop words of its language, unless there is nothing else.

    Of a run of characters without spaces, the pairs count and the single characters do not.
    """
    distinct = dict.fromkeys(words)
    paired = {character for word in distinct if len(pair := characters(word)) == 2 for character in pair}
    kept = [word for word in distinct if word not in paired]
    stops = stop_words(tongue(distinct))
    return [word for word in kept if word not in stops] or kept


@cache
def _stop_words(language: str) -> frozenset[str]:
    return frozenset(words(_OTHERS[language]))


@lru_cache(maxsize=1)
def _languages_of_words() -> Mapping[str, tuple[str, ...]]:
    """Word -> the languages that it speaks for. What is a stop word of English speaks for no other."""
    others = frozenset().union(*map(_stop_words, OTHERS)) - STOP_WORDS
    speaks = {word: tuple(language for language in OTHERS if word in _stop_words(language)) for word in others}
    return speaks | dict.fromkeys(STOP_WORDS, (ENGLISH,))
