import type { PictureFamily } from '../../../drawing/picture-family.ts'
import { Failure } from '../../../failure.ts'
import type { DrawnProof } from './charts.ts'
import { findChallenge } from './find-challenge.ts'
import { controlProofs } from './records.ts'

/** Chart of the control path; available after the challenge has a proof. */
export const pictures: PictureFamily = {
  operationId: 'getProjectControlChallenge',
  read: async ({ id: nonce, records }): Promise<DrawnProof> => {
    const { proofId } = (await findChallenge(records, nonce)).record.payload
    const proof = proofId ? await controlProofs.current(records, proofId) : null
    if (!proof) throw new Failure('LIQUIDITY_RESOURCE_NOT_FOUND')
    return { status: proof.record.status, proof: proof.record.payload }
  },
  drawings: new URL('./pictures/draw-task.ts', import.meta.url),
}
