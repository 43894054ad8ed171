import type { contract, SourceRef } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import type { Static } from 'typebox'
import { sql } from '../../store/database/sql.ts'
import { member } from '../../store/records/find.ts'
import type { TenantRecords } from '../../store/records/tenant-records.ts'
import { tokenKey } from './asset-keys.ts'
import { type DeclaredAsset, declaredAssets } from './declared-assets.ts'

/**
 * A token that a record binds to the organization; it is the own token regardless of declarations.
 */
export interface BoundToken {
  readonly assetKey: string
  readonly basis: 'PROJECT_CONTROL' | 'LAUNCH_PLAN' | 'PASSPORT'
  readonly source: SourceRef
}

export interface TokenStandings {
  readonly bound: ReadonlyMap<string, BoundToken>
  /** Token declarations; a bound token is the own token regardless of its declaration. */
  readonly declared: ReadonlyMap<string, DeclaredAsset>
  /**
   * Possible own tokens without a decision: bases of venues, including revoked ones, and tokens
   * whose binding ended after their class was decided. An expired proof or revoked venue must not
   * turn the own token into money.
   */
  readonly undeclared: ReadonlySet<string>
}

/** A record that references a token, and whether it currently binds it. */
interface Binding extends BoundToken {
  readonly isLive: boolean
  /** Time of its last version in milliseconds since 1970: its end, if it is not active. */
  readonly changedAt: number
}

/** Reads which tokens are declared, bound and undeclared. The last two are derived at each read, so they need no migration. */
export async function tokenStandings(records: TenantRecords): Promise<TokenStandings> {
  const [decided, proofs, plans, passports, bases] = await Promise.all([
    declaredAssets(records),
    provenTokens(records),
    plannedTokens(records),
    publishedTokens(records),
    venueBases(records),
  ])
  const bindings = [...proofs, ...plans, ...passports]
  const live = bindings.filter(({ isLive }) => isLive).toReversed()
  // If several records bind a token, the first kind in this order is listed.
  const bound = new Map(
    live.map(({ assetKey, basis, source }) => [assetKey, { assetKey, basis, source }]),
  )
  const declared = new Map(
    [...decided].map(([assetKey, record]) => [
      assetKey,
      wasDecidedBefore(record, bindings) ? withoutClass(record) : record,
    ]),
  )
  const candidates = [...bases, ...bindings.map(({ assetKey }) => assetKey), ...declared.keys()]
  const isUndeclared = (assetKey: string) =>
    !bound.has(assetKey) && (declared.get(assetKey)?.payload.class ?? null) === null
  return { bound, declared, undeclared: new Set(candidates.filter(isUndeclared)) }
}

/**
 * True if a class other than OWN_TOKEN is older than the end of the record that listed the token as
 * own token.
 */
const wasDecidedBefore = (
  { createdAt, payload }: DeclaredAsset,
  bindings: readonly Binding[],
): boolean =>
  payload.class !== 'OWN_TOKEN' &&
  bindings.some(
    ({ assetKey, isLive, changedAt }) =>
      assetKey === payload.assetKey && !isLive && changedAt >= Date.parse(createdAt),
  )

const withoutClass = (record: DeclaredAsset): DeclaredAsset => ({
  ...record,
  payload: { ...record.payload, class: null, own: null },
})

async function provenTokens(records: TenantRecords): Promise<Binding[]> {
  const proofs = await records.find<contract.ProjectControlProof>('ProjectControlProof', {
    newestOfEach: [member('payload.chainId'), member('payload.token'), { text: 'h.status' }],
  })
  return proofs.map((proof) => ({
    basis: 'PROJECT_CONTROL',
    source: refOf(proof),
    isLive: proof.status === 'ACTIVE',
    changedAt: Date.parse(proof.createdAt),
    assetKey: tokenKey(proof.payload.chainId, proof.payload.token),
  }))
}

async function plannedTokens(records: TenantRecords): Promise<Binding[]> {
  const plans = await records.find<contract.LaunchPlan>('LaunchPlan', {
    newestOfEach: [member('payload.request.token'), { text: 'h.status' }],
  })
  return plans.map((plan) => ({
    basis: 'LAUNCH_PLAN',
    source: refOf(plan),
    isLive: plan.status !== 'RETIRED',
    changedAt: Date.parse(plan.createdAt),
    assetKey: plan.payload.request.token,
  }))
}

/** A passport is about the base token of its vault. */
async function publishedTokens(records: TenantRecords): Promise<Binding[]> {
  const passports = await records.find<contract.LiquidityPassport>('LiquidityPassport', {})
  if (passports.length === 0) return []
  const vaults = await records.find<contract.QualifiedVault>('QualifiedVault', {
    ids: [...new Set(passports.map(({ payload: { vaultId } }) => vaultId))],
  })
  return passports.flatMap((passport): Binding[] => {
    const pair = vaults.find(({ id }) => id === passport.payload.vaultId)?.payload.pair
    if (!pair) return []
    const isLive = passport.status === 'ACTIVE'
    const assetKey = tokenKey(pair.chainId, pair.base)
    const changedAt = Date.parse(passport.createdAt)
    return [{ basis: 'PASSPORT', source: refOf(passport), isLive, assetKey, changedAt }]
  })
}

async function venueBases(records: TenantRecords): Promise<string[]> {
  const venues = await records.find<Static<typeof contract.VenueProfile>>('VenueProfile', {
    newestOfEach: [member('payload.pair.chainId'), sql`lower(${member('payload.pair.base')})`],
  })
  return venues.map(({ payload: { pair } }) => tokenKey(pair.chainId, pair.base))
}

const refOf = ({ resourceType, id, resourceVersion }: VersionedRecord<unknown>): SourceRef => ({
  resourceType,
  id,
  resourceVersion,
})
