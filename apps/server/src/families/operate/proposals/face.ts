export {
  approvedProposal,
  makesCall,
  type Packet,
  type Proposal,
  packetOf,
  phaseOf,
} from '../../../market/proposals/agreed-packets.ts'
