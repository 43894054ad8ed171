import type { contract, FieldErrors } from '@liquidity-os/contract'
import { Failure } from '../../../failure.ts'
import { limits } from '../../../limits.ts'
import { assetsOf } from '../../../market/treasury/assets-of.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'

type Input = contract.TreasuryAssumptionInput
type Asset = contract.TreasuryAssumptions['assets'][number]

/**
 * All assets of a set, sorted and without duplicates, with decimals and source record. Money is
 * known by ISO 4217. Tokens are known by venues, declared tokens and active entries; a native coin
 * by a venue on its chain.
 *
 * @param at prefix of field paths
 * @throws Failure 422 LIQUIDITY_ASSUMPTIONS_ASSET_UNKNOWN with every field that names another
 */
export async function knownAssets(
  records: TenantRecords,
  input: Input,
  at: string,
): Promise<Asset[]> {
  const known = await assetsOf(records)
  const named = namedAssets(input)
  const faults: FieldErrors = {}
  for (const [field, assetKey] of named) {
    if (known.has(assetKey) || Object.keys(faults).length === limits.fieldErrors) continue
    faults[at + field] = [`${expected(assetKey)}, got ${assetKey}`]
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_ASSUMPTIONS_ASSET_UNKNOWN', { fieldErrors: faults })
  }
  const keys = [...new Set(named.map(([, assetKey]) => assetKey))].sort()
  return keys.flatMap((assetKey) => known.get(assetKey) ?? [])
}

/** All fields that name an asset, with the asset. */
function namedAssets({ quoteKey, lines, scenarios }: Input): [field: string, assetKey: string][] {
  return [
    ['quoteKey', quoteKey],
    ...lines.map(({ assetKey }, index): [string, string] => [`lines.${index}.assetKey`, assetKey]),
    ...scenarios.flatMap(({ prices }, scenario) =>
      prices.flatMap((price, index): [string, string][] =>
        'assetKey' in price
          ? [[`scenarios.${scenario}.prices.${index}.assetKey`, price.assetKey]]
          : [],
      ),
    ),
  ]
}

function expected(assetKey: string): string {
  if (assetKey.startsWith('iso4217:')) return 'must be an active ISO 4217 code'
  if (assetKey.includes('/slip44:')) return 'must be the coin of a chain with a venue'
  if (assetKey.includes('/erc721:')) return 'must be a fungible asset, not a position'
  return 'must be a token of a venue, of the treasury or of an active entry of this organization'
}
