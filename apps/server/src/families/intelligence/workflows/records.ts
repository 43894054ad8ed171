import { contract } from '@liquidity-os/contract'
import { recordFamily } from '../../record-family.ts'

export const runs = recordFamily(contract.workflowRunFamily)
