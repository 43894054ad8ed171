import type { LooseRequest } from '@liquidity-os/client'
import { isGuarded, type Operation } from '@liquidity-os/contract'
import type { Sight } from './draft.ts'
import { idsIn } from './known.ts'

/** What came back. */
export interface Answer {
  readonly status: number
  /** Of the refusal; empty where it succeeded. */
  readonly code: string
  readonly text: string
  readonly isReplayed: boolean
  readonly milliseconds: number
}

/** An answer that comes later than this holds somebody up. */
export const patienceMilliseconds = 20_000
/** Nothing is broken while requests are drawn, so nobody is to come later because of it. */
const ofBrokenStore = ['LIQUIDITY_STORE_UNAVAILABLE', 'LIQUIDITY_OUTCOME_UNKNOWN']

/** Partners stand in a directory that every issuer reads to choose whom to let in. */
const toldToAll = ['getPartnerConsentOptions']

/** What is wrong with an answer, in words; that it fits its schema was held before. */
export function faultsOf(
  operation: Operation,
  request: LooseRequest,
  answer: Answer,
  sight: Pick<Sight, 'isForeign'>,
): string[] {
  const { status, code, milliseconds } = answer
  const faults: string[] = []
  if (status >= 500 && status !== 503) faults.push(`${status} ${code}`)
  if (ofBrokenStore.includes(code)) faults.push(`${status} ${code}, and nothing is broken`)
  if (milliseconds > patienceMilliseconds)
    faults.push(`answered after ${Math.round(milliseconds)} ms`)
  const isPrivate = isGuarded(operation) && !toldToAll.includes(operation.id)
  return [...faults, ...(isPrivate ? leaksOf(request, answer, sight) : [])]
}

/** Ids of the other organization that its answer told, and records of it that were found. */
function leaksOf(
  { params, query, body }: LooseRequest,
  { status, text }: Answer,
  { isForeign }: Pick<Sight, 'isForeign'>,
): string[] {
  const sent = JSON.stringify({ params, query, body })
  const told = [...new Set(idsIn(text))].filter((id) => isForeign(id) && !sent.includes(id))
  const id = String(params?.id ?? '')
  const isFound = isForeign(id) && status < 300
  return [
    ...told.map((one) => `tells ${one} of another organization`),
    ...(isFound ? [`finds ${id} of another organization`] : []),
  ]
}

/** What is wrong with the answer to a key that was answered before; a secret leaves once, and its key says so from then on. */
export function replayFaults({ success }: Operation, first: Answer, again: Answer): string[] {
  const isSecret = first.text.includes('"secretReturnedOnce":true')
  if (isSecret && again.code === 'LIQUIDITY_OPERATING_SYSTEM_SECRET_ALREADY_RETURNED') return []
  // Some say by 200 that they did it before.
  const isSame = again.status === first.status || (again.status === 200 && success.includes(200))
  if (!isSame) return [`the same key answered ${first.status}, then ${again.status}`]
  if (!again.isReplayed) return ['the same key was carried out again']
  return again.text === first.text ? [] : ['the same key gave other bytes']
}
