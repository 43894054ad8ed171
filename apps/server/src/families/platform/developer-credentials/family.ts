import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
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
  checklist: [
    {
      place: 50,
      code: 'ISSUE_CREDENTIAL',
      type: 'DeveloperCredential',
      title: 'Issue a developer credential',
      why: 'Your own systems read results with it.',
      operationId: 'createDeveloperCredentials',
    },
  ],
}
