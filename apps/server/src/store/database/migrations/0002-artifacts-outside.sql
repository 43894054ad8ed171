-- An artifact without content is kept in the object store under its organization and hash.
alter table artifacts alter column content drop not null;
