import type { LooseRequest } from '@liquidity-os/client'
import { isGuarded, type Operation } from '@liquidity-os/contract'
import type { Sight } from './draft.ts'
import { idsIn } from './known.ts'

/** An answer of the service. */
export interface Answer {
  readonly status: number
  /** The error code; empty if it has none. */
  readonly code: string
  readonly text: string
  /** How it differs from the contract, in words; null if it does not. */
  readonly misfit: string | null
  readonly isReplayed: boolean
  readonly milliseconds: number
}

/** One thing that is wrong with an answer. */
export interface Fault {
  /** In words, without ids and other parts that differ between requests. */
  readonly kind: string
  readonly detail: string
}

/** No fault of the database is injected, so none of these may come. */
const codesOfBrokenStore = ['LIQUIDITY_STORE_UNAVAILABLE', 'LIQUIDITY_OUTCOME_UNKNOWN']

/** Every issuer reads the directory of partners to choose one. */
const publicOperations = ['getPartnerConsentOptions']

/** The faults of an answer. A 5xx is a fault, except a 503 that the operation declares. */
export function faultsOf(
  operation: Operation,
  request: LooseRequest,
  answer: Answer,
  sight: Pick<Sight, 'isForeign'>,
): Fault[] {
  const { status, code, misfit } = answer
  const failure = `${status} ${code || '(no code)'}`
  // Its form does not matter too: it is one finding.
  if (status >= 500 && status !== 503) return [{ kind: failure, detail: misfit ?? '' }]
  const faults: Fault[] = []
  if (codesOfBrokenStore.includes(code)) {
    faults.push({ kind: `${failure} without a fault of the database`, detail: '' })
  }
  if (misfit !== null) faults.push(misfitFault(status, misfit))
  const isPrivate = isGuarded(operation) && !publicOperations.includes(operation.id)
  return [...faults, ...(isPrivate ? leaksOf(request, answer, sight) : [])]
}

function misfitFault(status: number, misfit: string): Fault {
  // Each undeclared code is a finding of its own.
  const undeclared = /\b[A-Z]\w+ is not declared$/.exec(misfit)?.[0]
  return { kind: `${status} ${undeclared ?? 'does not match the contract'}`, detail: misfit }
}

/** Ids of other organizations that an answer reveals, and their records if it returns them. */
function leaksOf(
  { params, query, body }: LooseRequest,
  { status, text }: Answer,
  { isForeign }: Pick<Sight, 'isForeign'>,
): Fault[] {
  const sent = JSON.stringify({ params, query, body })
  const revealed = [...new Set(idsIn(text))].filter((id) => isForeign(id) && !sent.includes(id))
  const id = String(params?.id ?? '')
  const faults: Fault[] = []
  if (revealed.length > 0) {
    faults.push({ kind: 'reveals ids of another organization', detail: revealed.join(', ') })
  }
  if (isForeign(id) && status < 300) {
    faults.push({ kind: 'returns a record of another organization', detail: id })
  }
  return faults
}

/** The faults of the answer to a repeated key. A secret is returned once; then its key is refused with a code of its own. */
export function replayFaults({ success }: Operation, first: Answer, again: Answer): Fault[] {
  const isSecret = first.text.includes('"secretReturnedOnce":true')
  if (isSecret && again.code === 'LIQUIDITY_OPERATING_SYSTEM_SECRET_ALREADY_RETURNED') return []
  // Some operations return 200 for a repeated creation.
  const isSame = again.status === first.status || (again.status === 200 && success.includes(200))
  const faultOf = (kind: string): Fault[] => [{ kind, detail: again.code }]
  if (!isSame) return faultOf(`the same key returned ${first.status}, then ${again.status}`)
  if (!again.isReplayed) return faultOf('the request of the same key was executed again')
  return again.text === first.text ? [] : faultOf('the same key returned other bytes')
}
