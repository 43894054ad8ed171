/** Roles of a member, widest first. */
export const roles = [
  'OWNER',
  'OPERATOR',
  'TREASURY_ADMIN',
  'REVIEWER',
  'ANALYST',
  'VIEWER',
] as const
export type Role = (typeof roles)[number]

/** Permissions that operations require of the actor's role. */
export const permissions = [
  'read',
  'simulate',
  'prepare',
  'review',
  'operate',
  'treasury.write',
  'credentials.manage',
  'partners.manage',
  'publish',
  'members.manage',
] as const
export type Permission = (typeof permissions)[number]

/** The only mapping from roles to permissions. */
export const permissionsOf: Readonly<Record<Role, readonly Permission[]>> = {
  OWNER: permissions,
  // Separation of duties: an operator must not write treasury records.
  OPERATOR: permissions.filter((one) => one !== 'members.manage' && one !== 'treasury.write'),
  TREASURY_ADMIN: ['read', 'simulate', 'prepare', 'treasury.write'],
  REVIEWER: ['read', 'simulate', 'prepare', 'review'],
  ANALYST: ['read', 'simulate', 'prepare'],
  VIEWER: ['read'],
}

/** Scopes of service credentials, as the specification lists them. */
export const scopes = [
  'scores:read',
  'studies:read',
  'studies:write',
  'strategies:validate',
  'policies:compile',
  'policies:check',
  'proposals:read',
  'proposals:prepare',
  'vaults:read',
  'receipts:read',
  'proof:read',
  'alerts:read',
  'webhooks:manage',
] as const
export type Scope = (typeof scopes)[number]

/** Default requests per budget window for a scope. */
export function defaultBudget(scope: Scope): number {
  return scope.endsWith(':read') ? 1000 : 200
}
