import { contract } from '@liquidity-os/contract'
import type { VersionedRecord } from '@liquidity-os/evidence'
import { handle, type Outcome } from '../../../http/handler.ts'
import type { VenueRecord } from '../../../market/named-venue.ts'
import { textOf } from '../../../store/database/row.ts'
import { type Sql, sql, values } from '../../../store/database/sql.ts'
import { headsById } from '../../../store/records/find.ts'
import type { TenantRecords } from '../../../store/records/tenant-records.ts'
import { pageText } from '../../collection.ts'

type Label = contract.AddressLabel

/** Sources, the preferred one first. */
const order = ['VAULT', 'WALLET', 'MAKER', 'VENUE', 'ADAPTER'] as const

/** Names of records that contain the address of a market, Safe or account. */
const nameKinds = ['venue', 'vault', 'treasury-container'] as const

export default handle(contract.listAddressLabels, async (request): Promise<Outcome> => {
  const { query, records } = request
  const addresses = [...new Set(query.addresses.toLowerCase().split(','))]
  const [mandates, declared] = await Promise.all([
    records.find<contract.MarketMakerMandate>('MarketMakerMandate', {
      status: ['ACTIVE', 'VALIDATED', 'PAUSED'],
    }),
    declaredRecords(records, addresses),
  ])
  const labels = [
    ...declaredLabels(declared),
    ...mandates.flatMap(({ payload }) =>
      payload.marketMaker.wallets.map(
        ({ address }): Label => ({ address, name: payload.marketMaker.name, source: 'MAKER' }),
      ),
    ),
    ...contract.adapters.flatMap(({ name, contracts }) =>
      contracts.map(({ address }): Label => ({ address, name, source: 'ADAPTER' })),
    ),
  ]
  const best = new Map<string, Label>()
  for (const source of order) {
    for (const label of labels.filter((one) => one.source === source)) {
      const key = label.address.toLowerCase()
      if (!best.has(key)) best.set(key, label)
    }
  }
  const texts = addresses.flatMap((address) => {
    const label = best.get(address)
    return label ? [JSON.stringify(label)] : []
  })
  return {
    text: pageText(contract.listAddressLabels, request, { texts, lastId: null, hasMore: false }),
  }
})

/** Records whose name begins with one of the addresses: the index has no bodies to read. */
async function declaredRecords(
  records: TenantRecords,
  addresses: readonly string[],
): Promise<VersionedRecord[]> {
  const { organizationId } = records
  const firstAddress: Sql = { text: `substring(lower(name) from '0x[0-9a-f]{40}')` }
  const [rows = []] = await records.query([
    sql`select distinct record_id from names where organization_id = ${organizationId}
      and kind in ${values(nameKinds)} and ${firstAddress} in ${values(addresses)}`,
  ])
  if (rows.length === 0) return []
  const ids = rows.map((row) => textOf(row, 'record_id'))
  const [heads = []] = await records.query([headsById(organizationId, ids)])
  return records.opened<unknown>(heads) as VersionedRecord[]
}

function declaredLabels(records: readonly VersionedRecord[]): Label[] {
  const labels = records.flatMap((record): Label[] => {
    if (record.resourceType === 'VenueProfile') {
      const { address, name } = (record as unknown as VenueRecord).payload
      return [{ address, name, source: 'VENUE' }]
    }
    if (record.resourceType === 'QualifiedVault') {
      const { safeAddress } = (record as VersionedRecord<contract.QualifiedVault>).payload
      return [{ address: safeAddress, name: 'Safe', source: 'VAULT' }]
    }
    const entry = (record as VersionedRecord<contract.TreasuryBucket>).payload
    return entry.entryKind === 'ASSET' && 'address' in entry.container
      ? [{ address: entry.container.address, name: entry.label, source: 'WALLET' }]
      : []
  })
  const wallets = new Map(
    labels.flatMap(({ source, address, name }) =>
      source === 'WALLET' ? [[address.toLowerCase(), name] as const] : [],
    ),
  )
  // A vault has no name: the ledger names its Safe.
  return labels.map((label) =>
    label.source === 'VAULT'
      ? { ...label, name: wallets.get(label.address.toLowerCase()) ?? label.name }
      : label,
  )
}
