export {
  approvedProposal,
  makesCall,
  type Packet,
  type Proposal,
  packetOf,
  phaseOf,
} from '../../../market/proposals/agreed-packets.ts'
export { importedPacket, previewedPacket } from './imported-packet.ts'
export { requireSoundPacket } from './input-faults.ts'
