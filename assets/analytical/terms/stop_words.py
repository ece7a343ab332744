"""Words that are no term by themselves and end a phrase: grammar, and what every abstract says."""

from __future__ import annotations

_GRAMMAR = """
a about above across after again against all almost along already also although always am among an and another any are
around as at away back be became because become been before behind being below between beyond both but by can cannot
could did do does doing done down during each either else enough etc even ever every few first for from full further get
give given had has have having he hence her here him his how however i if in indeed instead into is it its itself just
last least less let like made mainly make many may me might more moreover most much must my near nearly need neither
never next no none nor not nothing now of off often on once one only onto or other others otherwise our out over own per
perhaps quite rather same second see seem several shall she should since so some still such than that the their them
then there thereby therefore these they third this those though three through throughout thus to together too toward
towards two under unless unlike until up upon us use used useful uses using various versus very via was we well were
what when whenever where whereas whether which while who whole whose why will with within without would yes yet you your
de la le les des du et un une der die das und den von mit zu im el los las del que en por para con
"""
_ABSTRACTS = """
abstract achieve achieved achieves achieving address addressed addresses addressing aim aims allow allowing allows
analyze approach approaches article available based best better build can capture case challenge challenges challenging
code common compare compared comparison complex conduct consider consistently contribution contributions corresponding
crucial current currently demonstrate demonstrated demonstrates demonstrating despite develop developed difficult
directly due effective effectively effectiveness efficiency efficient empirical empirically enable enables enabling
especially establish evaluate evaluated evaluation existing experiment experimental experiments explore extensive find
finding findings fix focus following fundamental furthermore general github good high higher highly identify impact
important improve improved improvement improvements improves improving include including increase increasing
individual input insight insights introduce introduced introduces introducing investigate issue issues key lack large
lead leading leads limitation limitations limited low lower main method methods mean multiple namely new novel number
obtain obtained observe open outperform outperforming outperforms output overcome paper particular performance perform
performs possible potential practical present presented presents previous previously prior problem problems process
produce promising propose proposed proposes proposing provide provided provides providing question recent recently
reduce reduced reduces reducing related remain remains report require required requires research respectively result
resulting results reveal review robust set setting settings show showing shown shows significant significantly similar
simple single small solution solutions solve solving source specific specifically standard state-of-the-art strong
studies study studied studying substantial substantially successful suggest support task tasks technique techniques term
terms type types typically understanding unified validate variety way ways work works widely year years
"""
STOP_WORDS = frozenset((_GRAMMAR + _ABSTRACTS).split())
