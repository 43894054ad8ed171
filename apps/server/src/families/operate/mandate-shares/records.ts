import { contract } from '@liquidity-os/contract'
import { recordFamily } from '../../record-family.ts'
import { ShareLinks } from '../../share-links.ts'

export const shares = recordFamily(contract.mandateShareFamily)

export const shareLinks = new ShareLinks(shares, {
  kind: 'MANDATE_SHARE',
  event: 'mandate_share',
  details: ({ mandate }) => ({ mandateId: mandate.id }),
})
