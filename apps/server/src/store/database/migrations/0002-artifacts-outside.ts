/** An artifact without content is kept in the object store under its organization and hash. */
export const artifactsOutside = 'alter table artifacts alter column content drop not null'
