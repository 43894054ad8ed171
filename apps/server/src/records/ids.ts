import { randomFillSync } from 'node:crypto'

let lastMillisecond = 0
let counter = 0
const random = new Uint8Array(4096)
let used = random.length

/**
 * `<prefix>_` and the 32 hex digits of a UUIDv7 (RFC 9562): ids of one kind sort by their creation.
 *
 * Inside a millisecond a counter keeps this process in order (method 1 of §6.2); 62 bits stay random.
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
  const high = lastMillisecond.toString(16).padStart(12, '0')
  let low = (((random[used] ?? 0) & 0x3f) | 0x80).toString(16).padStart(2, '0')
  for (let index = 1; index < 8; index += 1) {
    low += (random[used + index] ?? 0).toString(16).padStart(2, '0')
  }
  used += 8
  return `${prefix}_${high}7${counter.toString(16).padStart(3, '0')}${low}`
}
