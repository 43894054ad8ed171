import { contract } from '@liquidity-os/contract'
import { providerKind, providerName } from '../../../integrations/providers/provider-name.ts'
import { recordFamily } from '../../record-family.ts'

export const providers = recordFamily(contract.providerFamily, {
  // One that is revoked can be registered again, as another version of itself.
  names: ({ payload }) => [providerName(payload.providerId)],
  nameKinds: [providerKind],
})
