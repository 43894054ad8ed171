import { contract } from '@liquidity-os/contract'
import { shareLinks } from './records.ts'

export default shareLinks.revoke(contract.revokeMandateShareLink)
