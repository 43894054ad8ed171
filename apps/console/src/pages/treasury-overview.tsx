import { OwnTokens } from './own-tokens.tsx'
import { RunwayTile } from './runway.tsx'

/** Runway and balances of the treasury, and tokens that may be the organization's own. */
export function TreasuryOverview() {
  return (
    <>
      <RunwayTile />
      <OwnTokens />
    </>
  )
}
