"""Texts of the catalogue that are words rather than names, in the reader's language.

Names of products, titles that a document bears, and whatever somebody typed stay as they are, even where they happen to
be a message of the program.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from engine.figures import Source
from engine.wording import numbers
from engine.wording.translator import Language, Translator, mark

NOT_RECORDED = mark("not recorded")
ITEM_NAMES = frozenset(
    {
        mark("8-GPU HGX H100 server"),
        mark("8-GPU HGX H200 server"),
        mark("Gigabyte GPU servers"),
        mark("Lenovo ThinkSystem SR650i V4 (fixed configuration)"),
        mark("NVIDIA AI Enterprise H200 NVL (5 years)"),
        mark("Puget Systems workstations"),
        mark("Server for eight cards without cards (price reference)"),
        mark("WRX90 boards in general"),
        mark("Workstation without cards (price reference)"),
    }
)
"""Items that have no product name."""

TOPOLOGIES = frozenset(
    {
        mark("Broadcom PEX890xx switches; about 54 GB/s peer to peer inside one NUMA domain"),
        mark("both cards at one processor, Gen5 x16 each"),
        mark("four cards at one processor, Gen5 x16 each"),
        mark("two cards per processor, Gen5 x16 each"),
        mark("four cards per processor, Gen5 x16 each"),
    }
)
"""How the cards of machines are joined."""

SOURCE_TITLES = frozenset(
    {
        mark("From memory, unverified"),
        mark("Derived from other figures of this catalogue; the formula stands in the note"),
        mark("Seller's own built-to-order chassis: assumption to be edited by the seller"),
        mark("No public document was found"),
        mark(
            "Dated price and market statements in public GitHub files; the exact file was not "
            "recorded, so re-check before use"
        ),
        mark("Statements on workstations in public GitHub files; exact file not recorded"),
        mark("NVIDIA/AMD/Intel product pages and datasheets as transcribed in public spec tables"),
        mark("Purchase prices of September 2026, quoting the IntuitionLabs GPU pricing guide and Tom's Hardware"),
        mark("nvidia-smi outputs, several independent logs per card"),
        mark("OEM server library quoting Dell/HPE/Lenovo/Supermicro documents"),
        mark("B&H / Best Buy observed prices"),
        mark("AMD Instinct product pages"),
        mark("Supermicro product documents"),
        mark("DGX Spark figures and prices"),
        mark("DGX Station GB300 price reports"),
        mark("DGX Spark price reports (NVIDIA, Tom's Hardware)"),
        mark("ThinkStation PX prices in EUR"),
        mark("toppreise / digitec CHF prices"),
        mark("NVIDIA Vera Rubin announcement and datasheet (preliminary)"),
        mark(
            "Beste GPU für Fine-Tuning 2026: RTX-PRO-6000-Editionen, H200 NVL oder RTX PRO 5000 72 "
            "GB (reseller guide, German)"
        ),
        mark("Another DigitalOcean list of 2026"),
        mark("ASR A3.7 Noise, as summarised by Haufe and IFA"),
        mark("Assumption of this catalogue"),
        mark(
            "BMF letter IV C 3 - S 2190/21/10002 :025 on the useful life of computer hardware, as summarised by Haufe "
            "and sis-verlag"
        ),
        mark("Borderstep Institute: average PUE of German data centres, quoted by webpionier.ai"),
        mark("Budget planning for fine-tuning programmes"),
        mark("CDW, HPE S3U30C, quoted as about CNY 662,900, converted at 7.0"),
        mark("Cloud price survey"),
        mark("Conrad: RTX PRO 6000 Max-Q, EUR incl. VAT"),
        mark("Cost per TFLOP: which GPU to choose (trade article of 2026)"),
        mark("DigitalOcean list quoted in a public file"),
        mark("ECB euro reference rates of 2026-10-02"),
        mark("ECB euro reference rates of 2026-10-09"),
        mark("Energieeffizienzgesetz, data centres, as summarised by Dentons"),
        mark("Eurostat non-household electricity prices, Germany 2024, cleaned series"),
        mark("Exxact 8x H200 server, quoted as about CNY 2.2826M, converted at 7.0 by us"),
        mark("Exxact, LoRA fine-tuning benchmark on RTX PRO cards, headline figures"),
        mark("GEMM measurement of the RTX PRO 6000 editions, secondary quotation"),
        mark("H100 depreciation calculator: residual values after one, two and three years"),
        mark("H100 research note, quotes NVIDIA documents"),
        mark("H200 research note, quotes NVIDIA documents"),
        mark("Hidden cost of LLM fine-tuning: about 9 % of deep-learning jobs run out of memory"),
        mark("IONOS price calculator, mirrored in a public connector test"),
        mark("IntuitionLabs DGX price overview (first half of 2026)"),
        mark("Level1Techs forum: PCIe trouble with several Blackwell cards on WRX90"),
        mark("Level1Techs, llama-bench, as quoted in the sizing rules of 24 October 2026 (seed003)"),
        mark("Lenovo Press digest"),
        mark("MIFCOM TR-PRO workstation with 2x RTX PRO 6000 Max-Q"),
        mark("MLPerf Training v4.0 results, rates derived from the logs, unverified"),
        mark("MLPerf Training v5.0 results, rates derived from the logs, unverified"),
        mark("MLPerf Training v5.1 results, rates derived from the logs, unverified"),
        mark("MLPerf Training v6.0, Dell, 8 x H200 NVL, logs of one run per system in a public copy of the results"),
        mark("Measurements on AWS g7 (RTX PRO 4500 Blackwell Server Edition)"),
        mark("Mercatus hardware price overview"),
        mark("NVIDIA Enterprise reference architecture for H200 NVL, as reported by networkstorageforum.com"),
        mark("NVIDIA mig-parted builder tests"),
        mark("NWB: declining-balance depreciation for movable assets"),
        mark("Ori documentation: fine-tuning billing"),
        mark("Qwen README, fine-tuning speed tables"),
        mark("RTX PRO 6000 Max-Q against Workstation Edition, results/COMPARE.md @6f2f493"),
        mark("RunPod price page as quoted in public files on 2026-09-13 and 2026-10-08"),
        mark("SkyPilot catalogue v8, verda/vms.csv"),
        mark("SkyPilot catalogue, nebius/vms.csv, older"),
        mark("Staff for the operation of AI hardware: 0.5 to 1.5 full-time posts"),
        mark("Study of Hetzner, OVHcloud, Vast.ai, RunPod and Scaleway from live price data"),
        mark("The hidden cost of LLM fine-tuning"),
        mark("Thunder Compute price article"),
        mark("Together AI price page, transcribed in a public pricing module on 2026-07-13"),
        mark("Tom's Hardware: RTX PRO 6000 list price doubled"),
        mark("Tom's Hardware: earlier rise"),
        mark("Umweltbundesamt: emission factor of the German electricity mix, quoted"),
        mark("ViperaTech shop"),
        mark("aiDAPTIV training performance table"),
        mark("aurorainfra.ai GEMM measurement"),
        mark("derived by us"),
        mark("dstackai/gpuhunt, Crusoe provider (hard-coded list)"),
        mark("elektrikerwissen.de and elektrofachkraft.de on Schuko continuous load"),
        mark("fsdp_qlora, benchmarks of March 2024, 1,024 samples of 2,048 tokens"),
        mark("gpu.fm price overview"),
        mark("gpudojo L40S prices"),
        mark("llama31b-benchmark, results/**/run.log @72703ba: 37 start-up logs on a 71 GB MIG slice of an H200 NVL"),
        mark("llm-foundry training benchmarks"),
        mark("ml-engineering, compute/accelerator/README.md, achieved matrix rates"),
        mark("pepelac.news: RTX PRO 5000 72 GB availability"),
        mark("rtx6kpro, benchmarks/results.md and topology comparisons"),
        mark("rtx6kpro, models/*.md @29f3863 and @e2c2b95"),
        mark("single measurements, each named in its record"),
        mark("surogate benchmarks, with Unsloth as comparison"),
        mark("torch-performance-test-data, database and issues 44, 160, 161, 162"),
        mark("torchtune, packed against padded samples, 3B on A100"),
        mark("vLLM, issues and pull requests with start-up logs"),
        mark("voipmonitor/rtx6kpro measurements"),
        mark("NVIDIA AI Enterprise 2.1 release notes, supported hardware"),
        mark("NVIDIA AI Enterprise 3.0 release notes, supported hardware"),
        mark("Alice: GPU energy benchmark, measured idle and load power of an H200 SXM"),
        mark("Instance profiles as the driver lists them (nvidia-smi mig -lgip), several independent logs"),
        mark("Own price list"),
        mark("aiconfigurator, silicon_sample.csv @095f58a5, mostly InferenceX data"),
        mark("vLLM documentation, engine arguments and quantisation kernels"),
    }
)
"""What the catalogue calls a source that has no title of its own."""


def item_name(name: str, tr: Translator) -> str:
    """The name of a card, machine or item."""
    return _translated(name, ITEM_NAMES, tr)


def topology_text(topology: str, tr: Translator) -> str:
    """How the cards of a machine are joined."""
    return _translated(topology, TOPOLOGIES, tr)


def source_title(source: Source, tr: Translator) -> str:
    """The title of a source."""
    return _translated(source.title, SOURCE_TITLES, tr)


def source_date(source: Source, tr: Translator, language: Language) -> str:
    """The date a document bears, or that none was recorded."""
    if source.document_date in {"", NOT_RECORDED}:
        return tr.gettext(NOT_RECORDED)
    return numbers.recorded_date(source.document_date, language)


def _translated(text: str, ours: AbstractSet[str], tr: Translator) -> str:
    return tr.gettext(text) if text in ours else text
