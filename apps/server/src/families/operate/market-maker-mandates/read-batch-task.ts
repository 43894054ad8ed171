import { contract, type ErrorCode, type FieldErrors } from '@liquidity-os/contract'
import {
  D,
  H,
  type Hash,
  importPublicKey,
  parseStrict,
  StrictJsonError,
  verify,
} from '@liquidity-os/evidence'
import { type Address, type Hex, verifyMessage } from 'viem'
import { compileSchema, type PartValidator } from '../../../http/validators.ts'
import { limits } from '../../../limits.ts'
import { bytesOf, measureSample, type SampleMeasures } from './batch-measures.ts'
import { bandsOf, secondsOf, termsOf } from './mandate-terms.ts'
import { validateSample } from './validate-sample.ts'

export interface ReadBatchTask {
  /** Original request body. */
  readonly bytes: Uint8Array
  /** Null without an observable mandate: only the format is then validated. */
  readonly mandate: contract.MarketMakerMandate | null
  /** Milliseconds since 1970. */
  readonly now: number
}

/** An evaluable batch. Its samples cross a thread boundary as bytes. */
export interface ReadBatch {
  readonly ok: true
  readonly reason: string
  readonly evidenceHashes: readonly string[]
  readonly source: contract.ObservationBatch['source']
  readonly venueKey: string
  readonly batchHash: Hash
  readonly signer: { readonly keyIndex: number; readonly key: string } | null
  readonly from: number
  readonly to: number
  readonly samples: number
  readonly hasOwnOrders: boolean
  readonly bandsPips: readonly number[]
  /** `SampleMeasures` as JSON; without books for ONCHAIN. */
  readonly measured: Uint8Array
}

export interface TaskRefusal {
  readonly ok: false
  readonly code: ErrorCode
  readonly fieldErrors: FieldErrors
}

let validate: PartValidator | null = null

/** Parses a batch, validates its samples and measures its books. */
export default async function readBatch({
  bytes,
  mandate,
  now,
}: ReadBatchTask): Promise<ReadBatch | TaskRefusal> {
  const parsed = parse(bytes)
  if ('ok' in parsed) return parsed
  validate ??= compileSchema(contract.ObservationBatchWrite)
  const invalid = validate(parsed.body)
  if (invalid) return refusal('LIQUIDITY_INVALID_REQUEST', invalid)
  if (mandate === null) return refusal('LIQUIDITY_RESOURCE_NOT_FOUND', {})
  const { payload, reason, evidenceHashes = [] } = parsed.body as contract.ObservationBatchWrite
  const terms = termsOf(mandate)
  const unknown = venueFault(payload, mandate)
  if (unknown) return refusal('LIQUIDITY_MANDATE_VENUE_UNKNOWN', { 'payload.venueKey': [unknown] })
  const faults = validateSample(payload, terms, now)
  if (Object.keys(faults).length > 0) return refusal('LIQUIDITY_MANDATE_SAMPLE_INVALID', faults)
  const signed = await signerOf(payload, mandate)
  if ('ok' in signed) return signed
  const { source, venueKey, samples } = payload
  const bandsPips = bandsOf(terms)
  const measured = samples.map(
    (sample): SampleMeasures => ({
      at: secondsOf(sample.at),
      hash: H('mm-sample/v1', sample),
      ...(source === 'ONCHAIN'
        ? { seen: null, own: null }
        : measureSample(source, sample, bandsPips)),
    }),
  )
  return {
    ok: true,
    reason,
    evidenceHashes,
    source,
    venueKey,
    signer: signed.signer,
    batchHash: H('kpi-batch/v1', unsigned(payload)),
    from: measured[0]!.at,
    to: measured.at(-1)!.at,
    samples: samples.length,
    bandsPips,
    hasOwnOrders: measured.some(({ own }) => own !== null),
    measured: bytesOf(measured),
  }
}

const refusal = (code: ErrorCode, fieldErrors: FieldErrors): TaskRefusal => ({
  ok: false,
  code,
  fieldErrors,
})

function parse(bytes: Uint8Array): { readonly body: unknown } | TaskRefusal {
  const { bodyNesting: maximumDepth, mandateBatchParts: maximumParts } = limits
  try {
    return { body: parseStrict(bytes, { maximumDepth, maximumParts }) }
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause
    return cause.reason === 'TOO_MANY_PARTS'
      ? refusal('LIQUIDITY_BODY_TOO_LARGE', {
          '(body)': [`must have at most ${maximumParts} fields and items in total`],
        })
      : refusal('LIQUIDITY_MALFORMED_JSON', { '(body)': [cause.message] })
  }
}

function venueFault(
  { source, venueKey }: contract.ObservationBatch,
  { venues }: contract.MarketMakerMandate,
): string | null {
  const venue = venues.find((one) => one.venueKey === venueKey)
  const keys = venues.map((one) => one.venueKey).join(', ')
  if (!venue) return `must be one of ${keys}, got ${venueKey}`
  if (source !== 'ONCHAIN' || venue.venue) return null
  return `must have a venue for ONCHAIN evidence, got ${venueKey}`
}

function unsigned({ signature: _, ...payload }: contract.ObservationBatch) {
  return payload
}

async function signerOf(
  payload: contract.ObservationBatch,
  { marketMaker: { signerKeys } }: contract.MarketMakerMandate,
): Promise<{ readonly signer: ReadBatch['signer'] } | TaskRefusal> {
  const { signature, source } = payload
  if (!signature) return { signer: null }
  const refuse = (member: string, message: string) =>
    refusal('LIQUIDITY_MANDATE_SIGNATURE_INVALID', { [`payload.signature${member}`]: [message] })
  if (source === 'ONCHAIN')
    return refuse('', 'must be omitted for ONCHAIN evidence: it has no signer')
  const { keyIndex, value } = signature
  const key = signerKeys[keyIndex]
  if (!key) return refuse('.keyIndex', `must be below ${signerKeys.length}, got ${keyIndex}`)
  const message = unsigned(payload)
  const isValid =
    key.algorithm === 'ED25519'
      ? verify(importPublicKey(key.publicKey), signatureTag, message, value)
      : await isOfAccount(key.address as Address, message, value)
  const name = key.algorithm === 'ED25519' ? key.publicKey : key.address
  if (!isValid) return refuse('.value', `must be a signature of the ${key.algorithm} key ${name}`)
  return { signer: { keyIndex, key: name } }
}

export const signatureTag = 'mm-observation/v1'

async function isOfAccount(address: Address, message: unknown, value: string): Promise<boolean> {
  if (!value.startsWith('0x')) return false
  try {
    const raw = D(signatureTag, message)
    return await verifyMessage({ address, message: { raw }, signature: value as Hex })
  } catch {
    // A signature without a recoverable key has no signer.
    return false
  }
}
