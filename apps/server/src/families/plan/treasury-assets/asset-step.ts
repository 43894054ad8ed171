import type { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import type { HandlerRequest } from '../../../http/handler.ts'
import { withClass } from '../../../market/treasury/declared-assets.ts'
import type { BoundToken } from '../../../market/treasury/token-statuses.ts'
import { requestedNow } from '../../../market/treasury/waiting-change.ts'
import type { AssetStep } from './written-asset.ts'

type StepRequest = Pick<
  HandlerRequest<typeof contract.changeTreasuryAsset>,
  'actor' | 'records' | 'body'
>

/**
 * Change of a token's class. It is delayed if it could add value to money totals: for the own
 * token, and for an undecided token.
 *
 * @param now.isUndecided true if it may be the own token and has no class in force
 * @returns null if the class is already in force or pending
 * @throws Failure 403 for a delayed change by a role other than OWNER
 */
export async function assetStep(
  { actor, records, body: { class: wanted, reason } }: StepRequest,
  { payload, isUndecided }: { payload: contract.TreasuryAsset; isUndecided: boolean },
): Promise<AssetStep | null> {
  const { pending } = payload
  const isProtected = isUndecided || payload.class === 'OWN_TOKEN'
  if (!isProtected || wanted === 'OWN_TOKEN') {
    if (pending === null && payload.class === wanted) return null
    const what = pending === null ? 'changed' : 'loosening_withdrawn'
    return { payload: withClass(payload, wanted), what, about: pending, reason }
  }
  if (actor.role !== 'OWNER') {
    throw new Failure('LIQUIDITY_ROLE_REQUIRED', {
      fieldErrors: {
        class: [`requires an OWNER unless it is OWN_TOKEN, got ${wanted} from ${actor.role}`],
      },
    })
  }
  if (pending?.class === wanted) return null
  const about = { class: wanted, ...(await requestedNow(records)) }
  return { payload: { ...payload, pending: about }, what: 'loosening_requested', about, reason }
}

/** @throws Failure 409 LIQUIDITY_TREASURY_OWN_TOKEN_BOUND for another class of a token that a record binds */
export function requireUnbound(
  bound: BoundToken | undefined,
  wanted: contract.DeclaredClass,
): void {
  if (bound === undefined || wanted === 'OWN_TOKEN') return
  const { resourceType, id } = bound.source
  throw new Failure('LIQUIDITY_TREASURY_OWN_TOKEN_BOUND', {
    fieldErrors: {
      class: [`must be OWN_TOKEN while ${resourceType} ${id} names the token, got ${wanted}`],
    },
  })
}
