import { contract } from '@liquidity-os/contract'
import { recordFamily } from '../../record-family.ts'
import { entryNameKinds, namesOfEntry } from './names.ts'

export const treasuryEntries = recordFamily(contract.treasuryEntriesFamily, {
  names: ({ status, payload }) => namesOfEntry(payload, status === 'RETIRED'),
  nameKinds: [...entryNameKinds],
})
