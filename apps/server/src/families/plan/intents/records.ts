import { contract } from '@liquidity-os/contract'
import { recordFamily } from '../../record-family.ts'

export const intents = recordFamily(contract.intentFamily)
