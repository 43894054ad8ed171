import type { contract } from '@liquidity-os/contract'
import { type PictureFamily, payloadOf } from '../../../drawing/picture-family.ts'
import { symbolsFor } from '../../../drawing/subject-symbols.ts'
import type { DrawnPolicy } from './charts.ts'
import { vaultOf } from './vault-of.ts'

export const pictures: PictureFamily = {
  operationId: 'getAutonomyPolicies',
  read: async ({ id, records }): Promise<DrawnPolicy> => {
    const policy = await payloadOf<contract.AutonomyPolicy>(records, 'AutonomyPolicy', id)
    const pair = (await vaultOf(records, policy.vaultId))?.payload.pair
    if (!pair) return policy
    const { baseDecimals, quoteDecimals } = pair
    const quote = (await symbolsFor(records, { pair }))?.quote ?? null
    return { ...policy, units: { baseDecimals, quoteDecimals, quote } }
  },
  drawings: new URL('./pictures/draw-task.ts', import.meta.url),
}
