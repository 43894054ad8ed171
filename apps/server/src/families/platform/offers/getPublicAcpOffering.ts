import { contract } from '@liquidity-os/contract'
import { H } from '@liquidity-os/evidence'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { handle } from '../../../http/handler.ts'
import { type Offered, readOffered } from './pinned-file.ts'

const offeringFile: Offered<contract.AcpOfferingFile> = {
  variable: 'ACP_OFFERING_FILE',
  fileOf: ({ config }) => config.acpOfferingFile,
  schema: contract.AcpOfferingFile,
  fault: ({ offering }) =>
    new Ajv2020({ strict: false, logger: false }).validateSchema(offering.requirement)
      ? null
      : 'offering.requirement must be a JSON Schema (2020-12).',
}

export default handle(contract.getPublicAcpOffering, async ({ services, now }) => {
  const file = await readOffered(services, offeringFile, now)
  return {
    data: {
      state: file ? ('PREVIEW' as const) : ('NOT_CONFIGURED' as const),
      catalogVersion: file?.catalogVersion ?? null,
      validUntil: file?.validUntil ?? null,
      offering: file
        ? { ...file.offering, previewHash: H('acp-offering-preview', file.offering) }
        : null,
      signature: null,
      acceptsJobs: false as const,
      executionAuthorityGranted: false as const,
    },
  }
})
