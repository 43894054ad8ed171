export {
  approvedProposal,
  makesCall,
  type Proposal,
  phaseOf,
} from '../../../market/proposals/agreed-packets.ts'
export { unresolved } from './comments.ts'
export { decodePacketCall } from './decode-packets.ts'
export { importedPacket, previewedPacket } from './imported-packet.ts'
export { batchOf } from './read-context.ts'
export { type ReviewState, reviewOf } from './review.ts'
export { requireSoundPacket } from './validate-input.ts'
