export {
  approvedProposal,
  makesCall,
  type Proposal,
  phaseOf,
} from '../../../market/proposals/agreed-packets.ts'
export { importedPacket, previewedPacket } from './imported-packet.ts'
export { requireSoundPacket } from './input-faults.ts'
