import { contract } from '@liquidity-os/contract'

/**
 * The body of the measured mutation: a venue profile of about 1.3 kB. `@NUMBER@` stands for the digits of
 * its address, so that every request creates another record.
 */
export function venueBody(): string {
  const body = structuredClone(contract.createVenues.example.body) as unknown as {
    payload: { address: string; name: string; tags: string[] }
    reason: string
  }
  body.payload.address = '0x@NUMBER@'
  body.payload.name = 'Benchmark venue'
  body.payload.tags = Array.from(
    { length: 8 },
    (_, index) => `benchmark-tag-number-${index}-of-eight`,
  )
  body.reason = 'A reason of ordinary length, as an analyst writes it for the record. '
    .repeat(5)
    .trim()
  return JSON.stringify(body)
}
