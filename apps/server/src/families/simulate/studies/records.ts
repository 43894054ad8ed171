import { contract } from '@liquidity-os/contract'
import { recordFamily } from '../../record-family.ts'

export const studies = recordFamily(contract.studyFamily)
