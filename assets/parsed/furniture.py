"""Lines of the page around a list: menus, counters, page numbers, cookie and copyright lines.

A line is furniture by what it says, never by where it stands. Long lines are prose unless they are plainly a footer.
"""

from __future__ import annotations

import re

from assets.parsed.spans import WHITE

LONGEST = 400
"""No line longer than this is furniture."""

_MENU_WORD = (
    r"home|about|schedule|calendar|papers?|posters?|orals?|spotlights?|workshops?|tutorials?|sponsors?|exhibitors?|"
    r"organi[sz]ers?|committee|program(?:me)?|registration|register|venue|contact(?: us)?|help|faqs?|news|blog|"
    r"downloads?|dates|attend|attending|proceedings|books|search|browse|menu|login|log ?in|log ?out|sign ?in|sign "
    r"?up|"
    r"profile|my stuff|settings|support|donate|privacy(?: policy)?|terms(?: of (?:use|service))?|cookies?|"
    r"accessibility|code of conduct|diversity|invited talks|expo|jobs|careers|press|media|past conferences|virtual|"
    r"live|sessions?|invited|awards?|authors?|reviewers?|submissions?|submit|pdf|bibtex|bib|code|video|slides|poster|"
    r"abstract|supplementa(?:l|ry)(?: materials?)?|supp|html|arxiv|openreview|share|cite|export|bookmark|dataset|"
    r"project(?: page)?|website|email|twitter|facebook|linkedin|github|youtube|rss|top|back(?: to top)?|next|"
    r"previous|"
    r"prev|first|last|show|details|more|less|首页|主页|登录|注册|搜索|联系我们|关于我们|关于|帮助|下载|论文|日程|"
    r"会议|投稿|"
    r"作者|赞助|新闻|下一页|上一页|首頁|登入|註冊|ホーム|ログイン|検索|홈|로그인|검색"
)
_SEPARATOR = re.compile(r"\s*[|·•»›>/∙｜・⋅,]\s*|\s{2,}|\s-\s")
_MENU_ITEM = re.compile(rf"[\[(]?(?:{_MENU_WORD})[\])]?", re.IGNORECASE)
_SHORT_ITEM = re.compile(r"[\[(]?[\w ]{1,24}[\])]?")
_SINGLE = re.compile(
    r"^[\W_]*(?:home|menu|log ?in|log ?out|login|logout|sign ?in|sign ?up|register|search|help|contact(?: us)?|"
    r"about(?: us)?|"
    r"(?:show|load|view|read|see)\s+(?:more|less|all|next|previous|details|abstracts?|full)(?:\s+\w+){0,3}|show|"
    r"hide(?:\s+\w+){0,2}|"
    r"more|next(?: page)?|prev(?:ious)?(?: page)?|first|last|back(?: to (?:top|list|home|results|papers))?|top|"
    r"skip to (?:main |the )?(?:content|navigation|search)|toggle (?:navigation|menu|sidebar|abstract|search)|"
    r"(?:expand|collapse|select|clear|download|export|print|filter|sort)(?: all)?(?: \w+){0,2}|advanced search|"
    r"privacy(?: policy| notice)?|terms(?: of (?:use|service))?|(?:accept|reject|manage)(?: all)?(?: cookies)?|"
    r"cookie (?:policy|settings|preferences)|"
    r"loading\.*|please wait\.*|table of contents|contents|advertisement|bookmark(?:ed)?|share(?: this)?|"
    r"pdf|bibtex|abstract|code|video|slides|poster|paper|supplementary(?: material)?|"
    r"首页|主页|登录|登入|注册|菜单|搜索|帮助|联系我们|关于我们|加载更多|显示更多|查看更多|更多|展开|收起|"
    r"返回(?:首页|顶部|列表)?|"
    r"(?:上|下)一(?:页|頁)|首頁|尾页|末页|目录|广告|分享|收藏|下载|隐私政策|使用条款|ホーム|ログイン|検索|"
    r"もっと見る|次へ|前へ|홈|로그인|더 보기)[\W_]*$",
    re.IGNORECASE,
)
_COUNTER = re.compile(
    r"^[\W_]*(?:"
    r"(?:showing|displaying|viewing|results?|papers?|items?|records?|documents?|entries|posters?)\s*:?\s*\d[\d,.\s]*(?:[-–—~]|"
    r"to|of|/)\s*\d[\d,.]*.{0,60}"
    r"|page\s*\d+(?:\s*(?:of|/)\s*[\d,]+)?|\d+\s*(?:of|/)\s*[\d,]+(?:\s*(?:pages?|papers?|results?))?"
    r"|(?:total(?: of)?|found|about|all)?\s*:?\s*[\d,]+\s+(?:papers?|results?|items?|records?|entries|posters?|"
    r"documents?|matches|publications)(?:\s+(?:found|total|in total|accepted|shown))?"
    r"|(?:total|papers|results)\s*[:：]\s*[\d,]+|[-–—\[(|\s]*\d{1,5}[-–—\])|\s]*|(?:p|pp)\.\s*\d+(?:[-–]\d+)?"
    r"|[ivxlc]{1,6}|(?:«|‹|<|\d|\s|›|»|>|\.{3}|…|next|prev(?:ious)?|first|last|\||,){3,}"
    r"|(?:显示|當前|当前)?第?\s*[\d,]+\s*(?:[-–—~至到]\s*[\d,]+)?\s*(?:条|篇|项|个结果|頁|页|"
    r"筆)(?:.{0,6}[共/,，]\s*[\d,]+\s*(?:条|篇|项|页|頁|个结果|筆).{0,6})?"
    r"|第\s*\d+\s*[页頁](?:.{0,6}共\s*[\d,]+\s*[页頁])?|共\s*(?:有)?\s*[\d,]+\s*(?:条|篇|项|页|頁|个|筆).{0,24}|"
    r"显示.{0,20}\d.{0,20}"
    r"|[\d,]+\s*件(?:中.{0,12})?|(?:全|計)\s*[\d,]+\s*(?:件|ページ)|\d+\s*/\s*\d+\s*ページ|총\s*[\d,]+\s*(?:건|편|"
    r"개).{0,12}|[\d,]+\s*(?:건|편)"
    r")[\W_]*$",
    re.IGNORECASE,
)
_SIGN_IN = re.compile(
    r"^[\W_]*(?:please\s+|you (?:must|need to)\s+)?(?:sign|log)[ -]?(?:in|up|on)\b.{0,80}$"
    r"|^[\W_]*(?:请|請)?(?:先)?(?:登录|登入|注册)(?:后|以|/|\s|$).{0,40}$|^.{0,40}(?:请登录|请先登录|"
    r"請登入)[^。]{0,20}[。.]?$|^(?:don't have an account|create an account).{0,60}$",
    re.IGNORECASE,
)
_FOOTER = re.compile(
    r"^[\W_]*(?:©|\(c\)\s*(?:19|20)\d\d|copyright\b|版权所有|版權所有|著作権|&copy;).{0,390}$"
    r"|^.{0,160}\b(?:all rights reserved|powered by [A-Z]|terms of (?:use|service)|privacy (?:policy|notice)|"
    r"cookie (?:policy|settings))\b.{0,160}$"
    r"|^.{0,80}\b(?:we|this (?:web)?site|our partners)\b.{0,20}\b(?:use|uses|using)\b.{0,12}\bcookies\b.{0,300}$|"
    r"^by (?:using|continuing).{0,80}cookies.{0,200}$"
    r"|^.{0,80}(?:保留所有权利|保留所有權利|隐私政策|隱私政策|Cookie\s*政策|使用\s*[Cc]ookie|ICP备|ICP證|公网安备|"
    r"无断转载|無断転載).{0,160}$"
    r"|^.{0,60}(?:javascript|浏览器).{0,40}(?:disabled|enable|启用|不支持).{0,60}$"
    r"|^[\W_]*(?:last (?:updated|modified)|updated(?: on)?|generated (?:on|by|at)|retrieved|accessed|downloaded|"
    r"export date|最后更新|更新(?:时间|日期|于)|发布(?:时间|日期)|生成时间|数据更新)\s*[:：]?.{0,60}$",
    re.IGNORECASE,
)
_BREADCRUMB = re.compile(r"^[^.。!?]{1,40}(?:\s[›»>]\s[^.。!?]{1,40}){1,5}$")
_CHROME = re.compile(r"^[^.。!?]{0,60}\b(?:Sign in|Log in|Login)\b[^.。!?]{0,60}$")
_EMBLEM = re.compile(r"^[\W_]+$")


def is_furniture(line: str) -> bool:
    """Return whether a line belongs to the page around the list rather than to the list."""
    line = line.strip(WHITE)
    if not line or len(line) > LONGEST:
        return False
    if len(line) > 160:
        return bool(_FOOTER.match(line))
    return _is_menu(line) or any(
        pattern.match(line) for pattern in (_SINGLE, _COUNTER, _SIGN_IN, _FOOTER, _BREADCRUMB, _CHROME)
    )


def _is_menu(line: str) -> bool:
    """Return whether a line is a menu: short items, the first of them and at least half of them words of menus."""
    items = _SEPARATOR.split(line)
    if len(items) < 2 or not _MENU_ITEM.fullmatch(items[0]):
        return False
    known = sum(bool(_MENU_ITEM.fullmatch(item)) for item in items)
    return known * 2 >= len(items) and all(_SHORT_ITEM.fullmatch(item) for item in items)


def is_emblem(line: str) -> bool:
    """Return whether a line holds no letter and no digit."""
    return bool(_EMBLEM.match(line)) and not any(c.isalnum() for c in line) and line not in ("$$", "\\[", "\\]")
