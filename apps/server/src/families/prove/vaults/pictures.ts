import type { contract } from '@liquidity-os/contract'
import { type PictureFamily, payloadOf } from '../../../drawing/picture-family.ts'
import { sql } from '../../../store/database/sql.ts'
import { member } from '../../../store/records/find.ts'
import type { DrawnVault } from './charts.ts'

/** Drawn receipts; the list of receipts has all. */
const maxReceipts = 40

export const pictures: PictureFamily = {
  operationId: 'getQualifiedVaultV2',
  read: async ({ id, records }): Promise<DrawnVault> => {
    const vault = await payloadOf<contract.QualifiedVault>(records, 'QualifiedVault', id)
    const receipts = await records.find<contract.ExecutionReceipt>('ExecutionReceipt', {
      order: 'NEWEST',
      limit: maxReceipts,
      where: sql`${member('payload.vault.id')} = ${id}`,
    })
    return { vault, receipts: receipts.map(({ payload }) => payload).reverse() }
  },
  drawings: new URL('./pictures/draw-task.ts', import.meta.url),
}
