import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { revokeSecret } from './credential.ts'
import { credentials } from './records.ts'

export const family: Family = {
  contracts: [contract.developerCredentialFamily],
  operations: {
    listDeveloperCredentials: credentials.list(contract.listDeveloperCredentials),
    createDeveloperCredentials: () => import('./createDeveloperCredentials.ts'),
    getDeveloperCredentials: credentials.get(contract.getDeveloperCredentials),
    supersedeDeveloperCredentials: () => import('./supersedeDeveloperCredentials.ts'),
    rotateDeveloperCredential: () => import('./rotateDeveloperCredential.ts'),
  },
  kinds: [credentials.kind],
  departures: [
    credentials.departure({
      outcome: 'REVOKED',
      title: ({ label }) => label,
      event: 'credential.revoked',
      statements: ({ id }, { organizationId }) => [revokeSecret(organizationId, id)],
    }),
  ],
  checklist: [
    {
      place: 50,
      code: 'ISSUE_CREDENTIAL',
      type: 'DeveloperCredential',
      title: 'Create an API key',
      why: 'Your systems use it to read results.',
      operationId: 'createDeveloperCredentials',
    },
  ],
}
