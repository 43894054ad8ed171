import { contract } from '@liquidity-os/contract'
import { readOf } from '../../collection.ts'

export default readOf(contract.getScores, 'MarketQualityScore')
