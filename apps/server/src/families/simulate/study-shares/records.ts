import { contract } from '@liquidity-os/contract'
import { recordFamily } from '../../record-family.ts'
import { ShareLinks } from '../../share-links.ts'

export const shares = recordFamily(contract.studyShareFamily)

export const shareLinks = new ShareLinks(shares, {
  kind: 'STUDY_SHARE',
  event: 'study_share',
  details: ({ study }) => ({ studyId: study.id }),
})
