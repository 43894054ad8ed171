import type { contract } from '@liquidity-os/contract'

/** A batch of order books from a file, ready to send. */
export interface EvidenceFile {
  readonly name: string
  readonly batch: contract.ObservationBatch
  readonly from: string
  readonly to: string
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads a batch: the batch itself, or the request of `ingestMarketMakerEvidence` with the batch as
 * its payload.
 *
 * @throws Error with the reason for the user
 */
export function parseEvidence(name: string, text: string): EvidenceFile {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new Error(`${name} is not JSON.`)
  }
  const batch = isObject(parsed) && isObject(parsed.payload) ? parsed.payload : parsed
  if (!isObject(batch) || !Array.isArray(batch.samples))
    throw new Error(`${name} has no list of samples.`)
  const times = batch.samples.map((sample) => (isObject(sample) ? String(sample.at) : ''))
  const [from, to] = [times[0], times.at(-1)]
  if (from === undefined || to === undefined) throw new Error(`${name} has no samples.`)
  if (Number.isNaN(Date.parse(from)) || Number.isNaN(Date.parse(to)))
    throw new Error(`${name} has samples without a time.`)
  // The service checks the rest.
  return { name, batch: batch as unknown as contract.ObservationBatch, from, to }
}
