import { Failure } from '../failure.ts'
import { limits } from '../limits.ts'
import type { Database } from '../store/database/database.ts'
import { dayMilliseconds, hourMilliseconds } from '../units.ts'
import { isWithinLimit } from './hourly-turns.ts'
import { hashSecret } from './secrets.ts'

interface Limit {
  readonly bucket: string
  readonly maximum: number
  readonly windowMilliseconds: number
  /** Who has reached it. */
  readonly subject: string
}

/**
 * Counts one invitation mail. The address comes last, so that an organization beyond its own limits uses up no turn of the
 * address.
 *
 * @throws Failure 429 that names the limit
 */
export async function requireInvitationTurns(
  database: Database,
  requested: {
    readonly organizationId: string
    readonly invitedBy: string
    readonly email: string
  },
  now: number,
): Promise<void> {
  const { organizationId, invitedBy, email } = requested
  const hour = { windowMilliseconds: hourMilliseconds }
  const day = { windowMilliseconds: dayMilliseconds }
  const organization = { bucket: `invitations|${organizationId}`, subject: 'This organization' }
  // The inviting owner counts over all organizations.
  const owner = { bucket: `invitations-by|${invitedBy}`, subject: 'You' }
  const address = { bucket: `invitations-to|${hashSecret(email)}`, subject: 'This address' }
  const inOrder: Limit[] = [
    { ...owner, ...hour, maximum: limits.invitationsPerOwnerPerHour },
    { ...owner, ...day, maximum: limits.invitationsPerOwnerPerDay },
    { ...organization, ...hour, maximum: limits.invitationsPerOrganizationPerHour },
    { ...organization, ...day, maximum: limits.invitationsPerOrganizationPerDay },
    { ...address, ...hour, maximum: limits.invitationsPerAddressPerHour },
  ]
  for (const { bucket, maximum, windowMilliseconds, subject } of inOrder) {
    const unit = windowMilliseconds === hourMilliseconds ? 'hour' : 'day'
    const turn = { bucket: `${bucket}|${unit}`, limit: maximum, windowMilliseconds }
    if (await isWithinLimit(database, turn, now)) continue
    const end = (Math.floor(now / windowMilliseconds) + 1) * windowMilliseconds
    throw new Failure('LIQUIDITY_RATE_LIMITED', {
      message: `${subject} reached the limit of ${maximum} invitation emails per ${unit}.`,
      retryAfterSeconds: Math.ceil((end - now) / 1000),
    })
  }
}
