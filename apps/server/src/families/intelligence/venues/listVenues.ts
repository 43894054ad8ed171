import { contract } from '@liquidity-os/contract'
import { listOf } from '../../collection.ts'

export default listOf(contract.listVenues, 'VenueProfile')
