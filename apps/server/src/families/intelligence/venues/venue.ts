import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'

export type VenueProfile = Static<typeof contract.VenueProfile>
