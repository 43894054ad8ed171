import { contract } from '@liquidity-os/contract'
import { recordFamily } from '../../record-family.ts'
import { entryNameKinds, namesOfEntry } from './names.ts'

export const treasuryEntries = recordFamily(contract.treasuryEntriesFamily, {
  names: ({ id, status, payload }) =>
    namesOfEntry(payload, status === 'RETIRED' || status === 'EXPIRED', id),
  nameKinds: [...entryNameKinds],
})
