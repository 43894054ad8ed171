import { contract } from '@liquidity-os/contract'
import { recordReply } from '../../../record-reply.ts'
import { changesOfConsents } from '../consents/follow-partner.ts'
import { partners } from '../records.ts'
import { showBrand } from './brand-row.ts'
import { configure } from './configuration.ts'
import { pausedBy } from './paused-by.ts'

export default partners.supersede(contract.updatePartnerConfiguration, {
  to: 'ACTIVE',
  admit: ({ body, fail }, { payload }) => {
    if (body.payload.host === payload.host) return
    throw fail('LIQUIDITY_PARTNER_HOST_IMMUTABLE', {
      fieldErrors: { 'payload.host': [`must remain ${payload.host}, got ${body.payload.host}`] },
    })
  },
  decide: async ({ body, records, services }, { id, payload: before }) => {
    const { payload, artifacts } = await configure(records, body.payload, before)
    const { host, configurationArtifactHash } = payload
    const complete = async (
      sealed: Parameters<typeof recordReply>[0],
      change: Parameters<typeof recordReply>[1],
    ) => {
      const { resourceType, resourceVersion } = sealed.record
      const producer = { resourceType, id, resourceVersion }
      return recordReply(sealed, {
        ...change,
        artifacts: artifacts.map((artifact) => ({ ...artifact, producer })),
        statements: [showBrand(id, payload)],
        otherTenants: await changesOfConsents(services, records, id, (consent) =>
          pausedBy(before, payload, consent),
        ),
      })
    }
    return {
      payload,
      event: 'partner.updated',
      complete,
      eventPayload: { host, configurationArtifactHash },
    }
  },
})
