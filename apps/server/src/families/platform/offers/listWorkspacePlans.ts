import { contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import { type Offered, readOffered } from './pinned-file.ts'

const plansFile: Offered<contract.PlansFile> = {
  variable: 'PLANS_FILE',
  fileOf: ({ config }) => config.plansFile,
  schema: contract.PlansFile,
  fault: ({ plans }) => {
    const ids = plans.map(({ planId }) => planId)
    const twice = ids.find((id, index) => ids.indexOf(id) < index)
    return twice ? `planId must be unique, got ${twice} twice.` : null
  },
}

export default handle(contract.listWorkspacePlans, async ({ services, now }) => {
  const file = await readOffered(services, plansFile, now)
  return {
    data: {
      state: file ? ('PREVIEW' as const) : ('NOT_CONFIGURED' as const),
      version: file?.version ?? null,
      validUntil: file?.validUntil ?? null,
      plans: file?.plans ?? [],
      checkoutAvailable: false as const,
    },
  }
})
