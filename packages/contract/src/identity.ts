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

/** What an operation needs of the actor's role. */
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

/** The one table that maps a role to what it may do. */
export const permissionsOf: Readonly<Record<Role, readonly Permission[]>> = {
  OWNER: permissions,
  // Who operates does not keep the books.
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

/** Requests per budget window that a scope may make where the deployment says nothing else. */
export function defaultBudget(scope: Scope): number {
  return scope.endsWith(':read') ? 1000 : 200
}
