import { contract } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { handle, type Outcome } from '../../../http/handler.ts'
import { AssetClassifier, undeclaredGap } from '../../../market/treasury/asset-classes.ts'
import { namedAsset } from '../../../market/treasury/asset-keys.ts'
import { assetsOf } from '../../../market/treasury/assets-of.ts'
import { type TokenStandings, tokenStandings } from '../../../market/treasury/token-statuses.ts'
import { type PinnedSnapshot, takeSnapshot } from '../../../market/treasury/treasury-snapshot.ts'
import type { ProviderAccess } from '../../../services.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { pageOf, pageText } from '../../collection.ts'

type Row = contract.TreasuryAssetRow

const operation = contract.listTreasuryAssets

export default handle(operation, async (request): Promise<Outcome> => {
  const { records, services } = request
  const { after, limit } = pageOf(operation, request)
  const rows = await assetRows(records, services)
  const remaining = rows.filter(({ assetKey }) => after === null || assetKey > after)
  const shown = remaining.slice(0, limit)
  return {
    text: pageText(operation, request, {
      texts: shown.map((row) => JSON.stringify(row)),
      lastId: shown.at(-1)?.assetKey ?? null,
      hasMore: remaining.length > limit,
    }),
  }
})

/** All declared, bound and undeclared tokens, by asset key. */
async function assetRows(records: TenantRecords, services: ProviderAccess): Promise<Row[]> {
  const standings = await tokenStandings(records)
  const { bound, declared, undeclared } = standings
  const known = await assetsOf(records)
  const chains = [...undeclared].flatMap((assetKey) => chainOf(assetKey) ?? [])
  const classifier = new AssetClassifier(
    standings,
    await readableSnapshot(records, services, chains),
  )
  const keys = [...new Set([...bound.keys(), ...declared.keys(), ...undeclared])].sort()
  const rows = await Promise.all(
    keys.map(async (assetKey) => {
      const row = rowOf(assetKey, standings, known.get(assetKey)?.decimals ?? null)
      // A wrapped native coin counts as money in every organization.
      return row.record === null && (await isCoin(classifier, assetKey)) ? [] : [row]
    }),
  )
  return rows.flat()
}

const chainOf = (assetKey: string): number | null => {
  const asset = namedAsset(assetKey)
  return asset.kind === 'TOKEN' ? asset.chainId : null
}

/** Chains of undeclared tokens, to recognize wrapped coins; null if one is unavailable. */
const readableSnapshot = (
  records: TenantRecords,
  services: ProviderAccess,
  chains: readonly number[],
): Promise<PinnedSnapshot | null> =>
  chains.length === 0
    ? Promise.resolve(null)
    : orWithoutChain(() => takeSnapshot(records, services, chains, 'assets'), null)

/** Without its chain a token stays undeclared and does not count as money. */
const isCoin = (classifier: AssetClassifier, assetKey: string): Promise<boolean> =>
  orWithoutChain(
    async () => (await classifier.classOf({ assetKey })).assetClass === 'CRYPTO_MAJOR',
    false,
  )

async function orWithoutChain<Value>(read: () => Promise<Value>, without: Value): Promise<Value> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Failure) return without
    throw error
  }
}

const tiers = { STABLE: 'T1', CRYPTO_MAJOR: 'T2', CRYPTO_OTHER: 'T3', OWN_TOKEN: 'T4' } as const

function rowOf(
  assetKey: string,
  { bound, declared, undeclared }: TokenStandings,
  decimals: number | null,
): Row {
  const binding = bound.get(assetKey)
  const asset = declared.get(assetKey)
  const isUndeclared = undeclared.has(assetKey)
  const stored = asset?.payload
  const declaredClass = stored?.class ?? 'CRYPTO_OTHER'
  const ofBinding = binding && { basis: binding.basis, source: binding.source }
  return {
    standing: binding ? 'BOUND' : isUndeclared ? 'UNDECLARED' : 'DECLARED',
    assetKey,
    symbol: stored?.symbol ?? null,
    decimals: stored?.decimals ?? decimals,
    class: binding ? 'OWN_TOKEN' : declaredClass,
    tier: binding || isUndeclared ? 'T4' : tiers[declaredClass],
    own: ofBinding ?? stored?.own ?? null,
    record: asset
      ? { id: asset.id as never, resourceVersion: asset.resourceVersion as never }
      : null,
    pending: stored?.pending ?? null,
    gaps: isUndeclared ? [undeclaredGap(assetKey)] : [],
  }
}
