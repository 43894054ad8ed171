import { ApiFailure } from '@liquidity-os/client'
import type { LaunchChain } from '../launch-chain.ts'
import { type Desk, openDesk } from './desk.ts'
import {
  checkAsStranger,
  type Issuer,
  publicState,
  publishPassport,
  slug,
  type Verified,
} from './passport.ts'
import { findTokenDay, symbol } from './token-day.ts'

/**
 * What an issuer gets of a token of its own: a market that is judged, a vault under a policy, books that agree, and a
 * passport that strangers verify. Done once; a later start finds it, or goes on where an earlier one was ended.
 *
 * @param say told what is done and what came out, in lines
 */
export async function showToken(
  issuer: Issuer,
  launch: LaunchChain,
  say: (line: string) => void,
): Promise<void> {
  const { client, url } = issuer
  say(`Synthetic token ${symbol} on a local test chain: its market is simulated`)
  const known = (await client.listPassports()).body.data.find(
    ({ payload }) => payload.slug === slug,
  )
  if (known) return say(`Passport  ${await publicState(issuer)}, ${url}`)
  const day = await findTokenDay(launch.chain)
  if (!day)
    return say('  The chain of this directory has no whole day of it; that of a new one has.')
  try {
    const desk = await openDesk(client, launch, day, say)
    say('  Publishing a passport, and checking it as a stranger')
    await publishPassport(issuer, desk.vaultId)
    say(wordsOf(desk, await checkAsStranger(issuer), issuer))
  } catch (error) {
    // A day after its market nobody lets a score of it hold, so what was ended too early stays as it is.
    if (launch.restored.performed === 0 || !(error instanceof ApiFailure)) throw error
    say(`  It cannot be gone on with here: ${error.message}\n  A new directory has all of it.`)
  }
}

/** What the score says of accounts that one account funded: the demo's own traders are. */
const tradersIn = ({ evidence }: Desk['score']): string[] =>
  evidence.gaps
    .filter(({ code }) => code === 'TRADERS_FUNDED_TOGETHER')
    .map(({ detail }) => `Traders   ${detail}`)

function wordsOf({ score, swaps }: Desk, verified: Verified, { url, bundle }: Issuer): string {
  const points = score.scorePips === null ? 'no score' : `${score.scorePips / 10_000} of 100`
  return [
    `Market    ${points}, grade ${score.grade}, from ${swaps} simulated swaps of one day`,
    ...tradersIn(score),
    'Vault     a Safe of two out of three that administers the token, under a policy in words',
    'Books     ledger and chain agree',
    `Passport  ${url}`,
    `Bundle    ${bundle}`,
    `          offline ${verified.passed} checks passed and none failed; ${verified.verdict.join(', ')}`,
  ].join('\n')
}
