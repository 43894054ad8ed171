/** 32 bits that follow from a number (the finalizer of MurmurHash3). */
export function drawOf(number: bigint): bigint {
  const mask = 0xffff_ffffn
  let value = (number * 0x9e37_79b9n) & mask
  value = ((value ^ (value >> 16n)) * 0x85eb_ca6bn) & mask
  value = ((value ^ (value >> 13n)) * 0xc2b2_ae35n) & mask
  return value ^ (value >> 16n)
}
