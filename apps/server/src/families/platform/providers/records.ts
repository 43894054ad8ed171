import { contract } from '@liquidity-os/contract'
import { providerKind, providerName } from '../../../integrations/providers/provider-name.ts'
import { recordFamily } from '../../record-family.ts'

export const providers = recordFamily(contract.providerFamily, {
  // A revoked provider can be registered again as a new version.
  names: ({ payload }) => [providerName(payload.providerId)],
  nameKinds: [providerKind],
})
