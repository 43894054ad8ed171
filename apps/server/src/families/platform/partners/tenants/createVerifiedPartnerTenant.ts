import { contract } from '@liquidity-os/contract'
import { partners } from '../records.ts'
import { showBrand } from './brand-row.ts'
import { configure } from './configuration.ts'

export default partners.create(contract.createVerifiedPartnerTenant, async ({ body, records }) => {
  const { payload, artifacts } = await configure(records, body.payload, null)
  const { host, configurationArtifactHash } = payload
  return {
    payload,
    artifacts,
    event: 'partner.created',
    eventPayload: { host, configurationArtifactHash },
    statements: ({ record: { id } }) => [showBrand(id, payload)],
  }
})
