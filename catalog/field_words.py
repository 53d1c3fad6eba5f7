"""What the catalogue's fields are called, by their path in an entry. No Qt."""

from __future__ import annotations

from engine.wording.translator import Translator, mark

_FIELDS = {
    "memory_gb": mark("Memory by datasheet"),
    "usable_bytes": mark("Usable by driver"),
    "bandwidth_gb_per_s": mark("Memory bandwidth"),
    "bf16_dense_tflops": mark("BF16, dense, published"),
    "measured_bf16_tflops": mark("BF16, measured"),
    "fp8_dense_tflops": mark("FP8, dense, published"),
    "fp32_tflops": mark("FP32, published"),
    "power_w": mark("Power"),
    "cooling": mark("Cooling"),
    "pcie_gb_per_s": mark("PCIe per direction"),
    "nvlink.gb_per_s_per_direction": mark("NVLink per direction"),
    "max_per_workstation": mark("Most per workstation"),
    "vgpu": mark("vGPU"),
    "ecc": mark("ECC"),
    "compute_capability": mark("Compute capability"),
    "rack_units": mark("Height in rack units"),
    "slots": mark("Double-width slots"),
    "host_memory_max_gb": mark("Largest host memory"),
    "host_cores_max": mark("Most processor cores"),
    "psu_watts_usable": mark("Usable power of the supplies"),
    "base_power_w": mark("Power without cards"),
    "inlet_max_c": mark("Highest inlet temperature"),
    "noise_db_a": mark("Noise"),
    "topology": mark("PCIe topology"),
    "pcie_peer_gb_per_s": mark("PCIe between cards, measured"),
    "parameters": mark("Parameters"),
    "layers": mark("Layers"),
    "hidden_size": mark("Hidden width"),
    "vocab_size": mark("Vocabulary"),
    "max_position": mark("Context"),
    "licence": mark("Licence"),
    "item": mark("Entry"),
    "": mark("Entry"),
    "id": mark("Id"),
    "name": mark("Name"),
    "short_name": mark("Short name"),
    "vendor": mark("Vendor"),
    "family": mark("Product family"),
    "architecture": mark("Architecture"),
    "availability": mark("Availability"),
    "form": mark("Form"),
    "kind": mark("Kind"),
    "slot_width": mark("Slots per card"),
    "supports_vgpu": mark("Supports vGPU"),
    "power_limits_w": mark("Lower power limits"),
    "notes": mark("Notes"),
    "note": mark("Note"),
    "value": mark("Value"),
    "unit": mark("Unit"),
    "source": mark("Source"),
    "grade": mark("Grade"),
    "basis": mark("Basis"),
    "contradicts": mark("Other published values"),
    "card": mark("Card"),
    "max_cards": mark("Most cards"),
    "min_cards": mark("Fewest cards"),
    "power_cap_w": mark("Power cap per card"),
    "nvlink_bridges": mark("NVLink bridges documented"),
    "built_to_order": mark("Built to order"),
    "fixed_cards": mark("Sold fully populated"),
    "cards_from": mark("From this many cards"),
    "cards_to": mark("Up to this many cards"),
    "supplies": mark("Power supplies"),
    "watts_each": mark("Watts of each supply"),
    "quantity": mark("Quantity"),
    "instances": mark("Instances per card"),
    "bridge_sizes": mark("Sizes of bridges"),
    "bridge_size": mark("Cards per bridge"),
    "for_cards": mark("For cards"),
    "included_with_card": mark("Comes with the card"),
    "nvlink": mark("NVLink"),
    "formats": mark("Training formats below 16 bits"),
    "fp8": mark("FP8"),
    "mxfp8": mark("MXFP8"),
    "nvfp4": mark("NVFP4"),
}
DETAILS = {
    "base_mhz": mark("Base clock"),
    "bf16_dense_alternative_tflops": mark("BF16, dense, other reading"),
    "boost_mhz": mark("Boost clock"),
    "card_power_w": mark("Power of the card"),
    "chip": mark("Chip"),
    "confidential_computing": mark("Confidential computing"),
    "cooling_text": mark("Cooling by datasheet"),
    "cpu": mark("Processors"),
    "cuda_cores": mark("CUDA cores"),
    "display": mark("Display outputs"),
    "end_of_life": mark("Sale"),
    "form_factor": mark("Form factor"),
    "fp4_dense_tflops": mark("FP4, dense"),
    "gpu_rules": mark("Fitting of cards"),
    "heat_btu_h": mark("Heat given off"),
    "inlet_min_c": mark("Lowest inlet temperature"),
    "int8_dense_tops": mark("INT8, dense"),
    "interconnect": mark("Link between cards"),
    "launch": mark("Introduced"),
    "memory": mark("Memory"),
    "memory_total_gb": mark("Memory of all cards"),
    "memory_type": mark("Memory type"),
    "mig_text": mark("MIG by datasheet"),
    "mxfp4_dense_tflops": mark("MXFP4, dense"),
    "nvfp4_inference_sparse_tflops": mark("NVFP4, inference, sparse"),
    "nvfp4_training_dense_tflops": mark("NVFP4, training, dense"),
    "nvlink_text": mark("NVLink by datasheet"),
    "nvsmi_mib": mark("Memory as nvidia-smi reports it"),
    "pcie": mark("PCIe"),
    "pcie_measured_gb_per_s": mark("PCIe, measured"),
    "power_kw": mark("Power"),
    "power_modes_w": mark("Power modes"),
    "power_note": mark("Power, as described"),
    "power_w": mark("Power"),
    "psu": mark("Power supplies"),
    "rack_power_kw": mark("Power of the rack"),
    "sm_count": mark("Streaming multiprocessors"),
    "software": mark("Software"),
    "tensor_cores": mark("Tensor cores"),
    "tf32_dense_tflops": mark("TF32, dense"),
    "tf32_tflops": mark("TF32"),
    "weight_kg": mark("Weight"),
}
"""What datasheets say beside the figures that are computed with, by the key under `details`."""
_LISTS = {
    "options": mark("Listed: {name}"),
    "mig": mark("MIG {name}"),
    "kits": mark("Required: {name}"),
    "psu_rules": mark("Power supplies {name}"),
    "prices": mark("Price {name}"),
    "part_numbers": mark("Part number {name}"),
}
_UNITS = {
    "bytes": mark("bytes"),
    "cards": mark("cards"),
    "cores": mark("cores"),
    "SMs": mark("SMs"),
    "U": mark("U"),
    "double-width slots": mark("double-width slots"),
}
_OF_INSTANCE = ".usable_bytes"  # behind the name of a MIG profile
_PART_NUMBER = "part_number_"  # of a vendor, named behind it
_ACRONYMS = {
    "hpe": "HPE",
    "nvidia": "NVIDIA",
    "gb": "GB",
    "w": "W",
    "mhz": "MHz",
    "mib": "MiB",
    "psu": "PSU",
    "cpu": "CPU",
    "sm": "SM",
    "cuda": "CUDA",
    "gpu": "GPU",
    "fp4": "FP4",
    "tf32": "TF32",
}


def unit_name(unit: str, tr: Translator) -> str:
    """A unit in the reader's language; symbols stay as they are."""
    return tr.gettext(_UNITS[unit]) if unit in _UNITS else unit


def field_name(path: str, tr: Translator, name: str = "") -> str:
    """The words for a field's path, such as `memory_gb`, `options.h200_nvl` or `details.chip`.

    `name` is what a member of a list is called, where the path holds its number or id.
    """
    plain, _, number = path.partition("#")
    if plain in _FIELDS:
        return tr.gettext(_FIELDS[plain])
    head, _, rest = plain.partition(".")
    if head == "details" and rest in DETAILS:
        return tr.gettext(DETAILS[rest])
    if head == "mig" and rest.endswith(_OF_INSTANCE):
        profile = tr.gettext(_LISTS[head]).format(name=rest.removesuffix(_OF_INSTANCE))
        return f"{profile}: {tr.gettext(_FIELDS['usable_bytes'])}"
    if head in _LISTS and rest:
        called = name or rest
        if number:
            called = f"{called} ({number})"
        return tr.gettext(_LISTS[head]).format(name=called)
    last = plain.rpartition(".")[2]
    if last.startswith(_PART_NUMBER):
        vendor = last.removeprefix(_PART_NUMBER)
        return tr.gettext(_LISTS["part_numbers"]).format(name=_ACRONYMS.get(vendor, vendor.title()))
    if last in _FIELDS and head != "details":
        return tr.gettext(_FIELDS[last])
    words = [_ACRONYMS.get(word, word) for word in last.split("_")]
    text = " ".join(words)
    return text[:1].upper() + text[1:]
