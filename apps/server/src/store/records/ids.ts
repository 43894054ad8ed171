import { randomFillSync } from 'node:crypto'

let lastMillisecond = 0
let counter = 0
const random = Buffer.alloc(4096)
let used = random.length

/**
 * `<prefix>_` and the 32 hex digits of a UUIDv7 (RFC 9562); IDs of one type sort by creation.
 *
 * Within a millisecond a counter preserves order in this process (method 1 of §6.2); 62 bits stay
 * random.
 *
 * @param now milliseconds since 1970
 */
export function newId(prefix: string, now: number): string {
  if (now > lastMillisecond) {
    lastMillisecond = now
    counter = 0
  } else {
    counter += 1
    if (counter > 0xfff) {
      counter = 0
      lastMillisecond += 1
    }
  }
  if (used + 8 > random.length) {
    randomFillSync(random)
    used = 0
  }
  // The variant of RFC 9562 in the two highest bits.
  random[used] = ((random[used] ?? 0) & 0x3f) | 0x80
  const low = random.toString('hex', used, used + 8)
  used += 8
  const high = lastMillisecond.toString(16).padStart(12, '0')
  return `${prefix}_${high}7${counter.toString(16).padStart(3, '0')}${low}`
}
