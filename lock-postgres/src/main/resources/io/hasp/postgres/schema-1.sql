-- Hasp on PostgreSQL, schema version 1: five tables and their functions. Safe to run twice. docs/guarantees/postgres.md describes the
-- protocol. For another schema or prefix, replace every public.hasp_ in this file.
--
-- Each function locks the row of one name in hasp_lock first, and is then alone with this name. Each statement of a function in plpgsql
-- reads what was committed before it, so the statements behind the lock see the latest state. The clock is read behind the lock as well.
--
-- A session keeps the plans of a function. A plan that was made while a table was small would read all of it, also when it has grown: so
-- functions that clients call plan without sequential scans.
--
-- Releases and refusals that grant nothing do not wait until their commit is on the disk. If the server crashes before, a released lock stays
-- taken until its lease ends, and a waiter queues again. Commits reach the disk in their order, so no grant can survive without the release
-- before it.

create table if not exists public.hasp_lock (
  name text collate "C" primary key,
  capacity integer not null,
  last_token bigint not null,
  last_holder text not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

-- A lock has one row for each holder that it had at once. A free row has no holder, and is used again: so it never moves in an index.
-- state: C granted directly, not confirmed yet; H requested; R stays taken without a holder.
create table if not exists public.hasp_holder (
  name text collate "C" not null,
  slot integer not null,
  holder text not null,
  state text not null,
  weight integer not null,
  token bigint not null,
  keeps boolean not null,
  channel text not null,
  label text not null,
  since timestamptz not null,
  expires timestamptz not null,
  primary key (name, slot)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

create table if not exists public.hasp_waiter (
  name text collate "C" not null,
  ticket bigint not null,
  holder text not null,
  weight integer not null,
  keeps boolean not null,
  channel text not null,
  label text not null,
  since timestamptz not null,
  alive_until timestamptz not null,
  primary key (name, ticket, holder),
  unique (name, holder)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

-- Released holders whose requests may still arrive.
create table if not exists public.hasp_tombstone (
  holder text primary key,
  until timestamptz not null
);

-- The holders of now, for transactions of applications, which lock this row for share before they commit. token: the newest holder's, in
-- the numbers that clients see; shared: holders with an earlier token, down to this one, may be there too.
create table if not exists public.hasp_fence (
  name text collate "C" primary key,
  token bigint not null,
  shared boolean not null
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

create or replace function public.hasp_version() returns integer language sql immutable as 'select 1';

-- Locks the row of a name; null if there is none and none is to be created.
create or replace function public.hasp_enter(p_name text, p_capacity integer, p_create boolean) returns public.hasp_lock
language plpgsql as $$
declare
  l public.hasp_lock;
begin
  loop
    select * into l from public.hasp_lock where name = p_name for update;
    if found or not p_create then
      return l;
    end if;
    insert into public.hasp_lock values (p_name, p_capacity, 0, '') on conflict do nothing returning * into l;
    if found then
      return l;
    end if;
  end loop;
end $$;

-- Makes a token the newest one for transactions of applications. False if one of them has checked an earlier holder and is not over: then
-- no other holder may begin. Waits for nothing.
create or replace function public.hasp_open(p_name text, p_token bigint, p_whole boolean, p_now timestamptz) returns boolean
language plpgsql as $$
declare
  f public.hasp_fence;
begin
  if not p_whole then
    select * into f from public.hasp_fence where name = p_name;
    if f.shared then
      return true;
    end if;
  end if;
  update public.hasp_fence set shared = not p_whole, token = 256 * case when p_whole then p_token else
      least(p_token, (select min(h.token) from public.hasp_holder h where h.name = p_name and h.holder <> '' and h.expires > p_now)) end
    where name = (select name from public.hasp_fence where name = p_name for no key update skip locked);
  if found then
    return true;
  end if;
  insert into public.hasp_fence values (p_name, 256 * p_token, not p_whole) on conflict do nothing;
  return found;
end $$;

-- p_slot: a free row of the name; null if it is not known.
create or replace function public.hasp_grant(p_name text, p_slot integer, p_holder text, p_state text, p_weight integer, p_token bigint,
    p_keeps boolean, p_channel text, p_label text, p_now timestamptz, p_expires timestamptz) returns void
language plpgsql as $$
begin
  update public.hasp_holder set holder = p_holder, state = p_state, weight = p_weight, token = p_token, keeps = p_keeps,
      channel = p_channel, label = p_label, since = p_now, expires = p_expires
    where name = p_name and slot = coalesce(p_slot, (
      select min(slot) from public.hasp_holder where name = p_name and (holder = '' or expires <= p_now)));
  if not found then
    insert into public.hasp_holder
      select p_name, coalesce(max(slot), -1) + 1, p_holder, p_state, p_weight, p_token, p_keeps, p_channel, p_label, p_now, p_expires
        from public.hasp_holder where name = p_name;
  end if;
end $$;

-- Grants the lock to the waiters at the front that live and fit, up to p_me, and notifies them. A client that listens has an advisory lock on
-- its channel, so one whose lock can be taken is dead, or has just lost its connection and asks again. o_open: p_me would be next, if it fits
-- beside o_used. o_fenced: a transaction of an application keeps the next holder out.
create or replace function public.hasp_serve(p_name text, p_capacity integer, p_now timestamptz, p_me text,
    inout p_last bigint, inout p_last_holder text, out o_used integer, out o_open boolean, out o_fenced boolean)
language plpgsql as $$
declare
  w public.hasp_waiter;
  next_token bigint;
  marked boolean;
begin
  o_open := true;
  o_fenced := false;
  select coalesce(sum(weight), 0) into o_used from public.hasp_holder where name = p_name and holder <> '' and expires > p_now;
  if o_used >= p_capacity then
    o_open := false;
    return;
  end if;
  for w in select * from public.hasp_waiter where name = p_name order by ticket, holder loop
    exit when w.holder = p_me;
    if w.alive_until <= p_now
      or w.channel <> '' and pg_try_advisory_xact_lock(hashtextextended(w.channel, 0)) then
      delete from public.hasp_waiter where name = p_name and ticket = w.ticket and holder = w.holder;
      continue;
    end if;
    if o_used + w.weight > p_capacity then
      o_open := false;
      perform public.hasp_call_front(p_name, p_me, p_now);
      exit;
    end if;
    next_token := greatest(p_last + 1, (extract(epoch from p_now) * 1000000)::bigint);
    if not public.hasp_open(p_name, next_token, w.weight = p_capacity, p_now) then
      o_open := false;
      o_fenced := true;
      if w.channel <> '' then
        perform pg_notify(w.channel, w.holder || '|0|0|' || p_name);
      end if;
      exit;
    end if;
    p_last := next_token;
    p_last_holder := w.holder;
    o_used := o_used + w.weight;
    delete from public.hasp_waiter where name = p_name and ticket = w.ticket and holder = w.holder;
    marked := w.keeps and not exists (select from public.hasp_waiter where name = p_name);
    perform public.hasp_grant(
      p_name, null, w.holder, 'C', w.weight, p_last, marked, w.channel, w.label, p_now, p_now + interval '1250 ms');
    if w.channel <> '' then
      perform pg_notify(w.channel, w.holder || '|' || p_last || (case when marked then '|1250^|' else '|1250|' end) || p_name);
    end if;
    exit when o_used >= p_capacity;
  end loop;
  if o_used >= p_capacity then
    o_open := false;
  end if;
end $$;

-- A waiter at the front that does not fit keeps all others out. So it must not live for long without a sign. Those that came from far behind
-- ask rarely: they are called, and one that does not ask within a claim is passed over. No grant has the token 0.
create or replace function public.hasp_call_front(p_name text, p_me text, p_now timestamptz) returns void
language plpgsql as $$
declare
  w record;
begin
  for w in
    update public.hasp_waiter set alive_until = p_now + interval '1250 ms'
      where name = p_name and holder <> p_me and alive_until > p_now + interval '1750 ms' and (ticket, holder) in (
        select ticket, holder from public.hasp_waiter where name = p_name order by ticket, holder limit 16)
      returning holder, channel
  loop
    if w.channel <> '' then
      perform pg_notify(w.channel, w.holder || '|0|0|' || p_name);
    end if;
  end loop;
end $$;

-- Takes a lock or a share of it, confirms a direct grant, or queues. o_answer: GRANTED, BUSY, GONE, or KIND; o_token: of the grant, the newest
-- token for a waiter, or the capacity that the lock has; o_ticket: the place in the queue; o_noted: a grant may be kept, a refusal has
-- recalled it.
create or replace function public.hasp_acquire(p_name text, p_holder text, p_lease bigint, p_queue boolean, p_channel text, p_label text,
    p_weight integer, p_capacity integer, p_keeps boolean, p_ticket bigint,
    out o_answer text, out o_token bigint, out o_poll integer, out o_ticket bigint, out o_noted boolean)
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  l public.hasp_lock := public.hasp_enter(p_name, p_capacity, true);
  moment timestamptz := clock_timestamp();
  here record;
  last bigint := l.last_token;
  newest text := l.last_holder;
  front boolean := true;
  fenced boolean := false;
  before bigint;
  r record;
begin
  o_noted := false;
  select max(h.slot) filter (where h.holder = p_holder and h.expires > moment) as mine,
      min(h.slot) filter (where h.holder = '' or h.expires <= moment) as free,
      coalesce(sum(h.weight) filter (where h.holder <> '' and h.expires > moment), 0) as used,
      exists (select from public.hasp_waiter w where w.name = p_name) as waiting,
      exists (select from public.hasp_tombstone t where t.holder = p_holder and t.until > moment) as gone
    into here from public.hasp_holder h where h.name = p_name;
  if here.mine is not null then
    update public.hasp_holder set state = 'H', expires = greatest(expires, moment + p_lease * interval '1 ms')
      where name = p_name and slot = here.mine
      returning 'GRANTED', token, keeps into o_answer, o_token, o_noted;
    return;
  end if;
  if newest = p_holder or here.gone then
    o_answer := 'GONE';
    return;
  end if;
  if l.capacity <> p_capacity then
    if here.used > 0 or exists (select from public.hasp_waiter where name = p_name and alive_until > moment) then
      o_answer := 'KIND';
      o_token := l.capacity;
      return;
    end if;
    delete from public.hasp_waiter where name = p_name;
    here.waiting := false;
    update public.hasp_lock set capacity = p_capacity where name = p_name;
  end if;

  if here.waiting then
    select s.p_last, s.p_last_holder, s.o_used, s.o_open, s.o_fenced, null into last, newest, here.used, front, fenced, here.free
      from public.hasp_serve(p_name, p_capacity, moment, p_holder, last, newest) s;
  end if;
  if front and here.used + p_weight <= p_capacity then
    o_token := greatest(last + 1, (extract(epoch from moment) * 1000000)::bigint);
    if public.hasp_open(p_name, o_token, p_weight = p_capacity, moment) then
      o_answer := 'GRANTED';
      o_noted := p_keeps;
      if here.waiting then
        delete from public.hasp_waiter where name = p_name and holder = p_holder;
        here.waiting := exists (select from public.hasp_waiter where name = p_name);
        o_noted := p_keeps and not here.waiting;
      end if;
      perform public.hasp_grant(p_name, here.free, p_holder, 'H', p_weight, o_token, o_noted, p_channel, p_label, moment,
        moment + p_lease * interval '1 ms');
      last := o_token;
      newest := p_holder;
      if here.waiting and here.used + p_weight < p_capacity then
        select s.p_last, s.p_last_holder into last, newest from public.hasp_serve(p_name, p_capacity, moment, '', last, newest) s;
      end if;
      update public.hasp_lock set last_token = last, last_holder = newest where name = p_name;
      return;
    end if;
    fenced := true;
  end if;
  if last > l.last_token then
    update public.hasp_lock set last_token = last, last_holder = newest where name = p_name;
  else
    perform set_config('synchronous_commit', 'off', true);
  end if;

  o_answer := 'BUSY';
  o_token := last;
  for r in select holder, channel from public.hasp_holder
      where name = p_name and holder <> '' and expires > moment and keeps and channel <> '' loop
    o_noted := true;
    perform pg_notify(r.channel, 'R|' || r.holder || '|' || p_name);
  end loop;
  if not p_queue then
    o_poll := case when o_noted then 1 when fenced then 50 else 500 end;
    return;
  end if;
  select ticket into o_ticket from public.hasp_waiter where name = p_name and holder = p_holder;
  if not found then
    o_ticket := p_ticket;
    if p_ticket is null then
      select greatest((extract(epoch from moment) * 1000000)::bigint, max(ticket) + 1) into o_ticket
        from public.hasp_waiter where name = p_name;
    end if;
  end if;
  select count(*) into before from (
    select from public.hasp_waiter where name = p_name and ticket < o_ticket limit 160) b;
  o_poll := least(500 * (1 + before / 16), case when p_channel = '' then 500 else 5000 end);
  insert into public.hasp_waiter values (p_name, o_ticket, p_holder, p_weight, p_keeps, p_channel, p_label, moment,
      moment + o_poll * interval '3.5 ms')
    on conflict (name, holder) do update set alive_until = excluded.alive_until, channel = excluded.channel, keeps = excluded.keeps;
  if fenced and before = 0 then
    o_poll := 50;
  elsif before = 0 then
    select least(o_poll, 1 + ceil(extract(epoch from min(expires) - moment) * 1000)) into o_poll
      from public.hasp_holder where name = p_name and holder <> '' and expires > moment;
  end if;
end $$;

-- Ends all that a holder has, and serves the queue. p_bury: a request of this holder may still arrive, and must find it gone. p_token: only a
-- grant with this token; null for any. True if it had the lock.
create or replace function public.hasp_release(p_name text, p_holder text, p_bury boolean, p_token bigint default null) returns boolean
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  l public.hasp_lock := public.hasp_enter(p_name, 1, p_bury and p_token is null);
  moment timestamptz := clock_timestamp();
  s record;
  held boolean;
  waiting boolean;
begin
  if l.name is null then
    return false;
  end if;
  update public.hasp_holder set holder = '', expires = moment
    where name = p_name and holder = p_holder and expires > moment and (p_token is null or token = p_token)
    returning exists (select from public.hasp_waiter where name = p_name) into waiting;
  held := found;
  if not held then
    if p_token is not null then
      return false;
    end if;
    delete from public.hasp_waiter where name = p_name and holder = p_holder;
    waiting := exists (select from public.hasp_waiter where name = p_name);
  end if;
  if p_bury then
    insert into public.hasp_tombstone values (p_holder, moment + interval '60 s')
      on conflict (holder) do update set until = excluded.until;
  end if;
  if waiting then
    s := public.hasp_serve(p_name, l.capacity, moment, '', l.last_token, l.last_holder);
    if s.p_last > l.last_token then
      update public.hasp_lock set last_token = s.p_last, last_holder = s.p_last_holder where name = p_name;
    end if;
  elsif not p_bury and p_token is null then
    perform set_config('synchronous_commit', 'off', true);
  end if;
  return held;
end $$;

-- Releases one holder and requests the lock for another one of the same client. Waiters are served first.
create or replace function public.hasp_transfer(p_from text, p_name text, p_holder text, p_lease bigint, p_queue boolean, p_channel text,
    p_label text, p_weight integer, p_capacity integer, p_keeps boolean,
    out o_released boolean, out o_answer text, out o_token bigint, out o_poll integer, out o_ticket bigint, out o_noted boolean)
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  commits text := current_setting('synchronous_commit');
begin
  o_released := public.hasp_release(p_name, p_from, false);
  select a.o_answer, a.o_token, a.o_poll, a.o_ticket, a.o_noted into o_answer, o_token, o_poll, o_ticket, o_noted
    from public.hasp_acquire(p_name, p_holder, p_lease, p_queue, p_channel, p_label, p_weight, p_capacity, p_keeps, null) a;
  perform set_config('synchronous_commit', commits, true);
end $$;

-- Leaves an exclusive lock taken for a time, under a holder that no client uses.
create or replace function public.hasp_retain(p_name text, p_holder text, p_time bigint, p_bury boolean) returns boolean
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  l public.hasp_lock := public.hasp_enter(p_name, 1, p_bury);
  moment timestamptz := clock_timestamp();
  held boolean;
begin
  update public.hasp_holder set holder = p_holder || '-over', state = 'R', keeps = false, expires = moment + p_time * interval '1 ms'
    where name = p_name and holder = p_holder and expires > moment;
  held := found;
  if p_bury then
    insert into public.hasp_tombstone values (p_holder, moment + interval '60 s')
      on conflict (holder) do update set until = excluded.until;
  end if;
  return held;
end $$;

-- Prolongs grants, lowers those that shall weigh less, and ends recalls of those that are not kept any more. Never shortens or raises one.
-- Locks the names in their order, so two such calls never wait for each other. One answer for each grant, in the order of the call.
create or replace function public.hasp_renew(p_names text[], p_holders text[], p_leases bigint[], p_weights integer[], p_keeps boolean[])
returns boolean[]
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  moment timestamptz;
  answers boolean[];
  lowered text[];
  l public.hasp_lock;
  s record;
begin
  perform from public.hasp_lock where name = any (p_names) order by name for update;
  moment := clock_timestamp();
  select array_agg(distinct h.name) into lowered
    from unnest(p_names, p_holders, p_weights) as r (name, holder, weight)
    join public.hasp_holder h on h.name = r.name and h.holder = r.holder and h.expires > moment and h.weight > r.weight;
  with renewed as (
    update public.hasp_holder h set state = 'H', weight = least(h.weight, r.weight), keeps = h.keeps and r.keeps,
        expires = greatest(h.expires, moment + r.lease * interval '1 ms')
      from unnest(p_names, p_holders, p_leases, p_weights, p_keeps) as r (name, holder, lease, weight, keeps)
      where h.name = r.name and h.holder = r.holder and h.expires > moment
      returning h.name, h.holder)
  select array_agg(n.holder is not null order by r.place) into answers
    from unnest(p_names, p_holders) with ordinality as r (name, holder, place)
    left join renewed n on n.name = r.name and n.holder = r.holder;
  if lowered is not null then
    for l in select * from public.hasp_lock where name = any (lowered) loop
      s := public.hasp_serve(l.name, l.capacity, moment, '', l.last_token, l.last_holder);
      if s.p_last > l.last_token then
        update public.hasp_lock set last_token = s.p_last, last_holder = s.p_last_holder where name = l.name;
      end if;
    end loop;
  end if;
  return answers;
end $$;

-- Makes later tokens larger than a floor. False, and nothing is raised, if a client may keep a grant whose next token could be below it: its
-- grant was recalled.
create or replace function public.hasp_raise(p_name text, p_floor bigint) returns boolean
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  l public.hasp_lock := public.hasp_enter(p_name, 1, true);
  moment timestamptz := clock_timestamp();
  r record;
begin
  select holder, channel into r from public.hasp_holder
    where name = p_name and holder <> '' and expires > moment and keeps and token <= p_floor limit 1;
  if found then
    perform pg_notify(r.channel, 'R|' || r.holder || '|' || p_name);
    return false;
  end if;
  update public.hasp_lock set last_token = p_floor where name = p_name and last_token < p_floor;
  return true;
end $$;

-- Passes if the holder with this token, in the number that clients see, is the latest one, and keeps the next one out until the end of the
-- calling transaction. Newer leases on the same grant of a client replace older ones.
create or replace function public.hasp_check(p_name text, p_token bigint) returns boolean
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  f public.hasp_fence;
begin
  select * into f from public.hasp_fence where name = p_name;
  if not f.shared and f.token < p_token and f.token / 256 = p_token / 256 then
    update public.hasp_fence set token = p_token
      where name = p_name and not shared and token < p_token and token / 256 = p_token / 256;
  end if;
  select * into f from public.hasp_fence where name = p_name for share;
  return coalesce(case when f.shared then f.token <= p_token else f.token = p_token end, false);
end $$;

-- Deletes what is not used any more of the next names behind one, and of some tombstones. Returns the last of these names, or empty at the end.
create or replace function public.hasp_clean(p_behind text, p_count integer) returns text
language plpgsql set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
declare
  l record;
  last_name text := '';
  seen integer := 0;
  moment timestamptz := clock_timestamp();
  before timestamptz := moment - interval '60 s';
begin
  for l in select name, last_token from public.hasp_lock where name > p_behind collate "C" order by name limit p_count loop
    seen := seen + 1;
    last_name := l.name;
    continue when l.last_token > (extract(epoch from before) * 1000000)::bigint
      or exists (select from public.hasp_holder where name = l.name and expires > before)
      or exists (select from public.hasp_waiter where name = l.name and alive_until > moment);
    perform from public.hasp_lock where name = l.name and last_token = l.last_token for update skip locked;
    continue when not found
      or exists (select from public.hasp_holder where name = l.name and expires > before)
      or exists (select from public.hasp_waiter where name = l.name and alive_until > moment);
    perform from public.hasp_fence where name = l.name for update skip locked;
    continue when not found and exists (select from public.hasp_fence where name = l.name);
    delete from public.hasp_fence where name = l.name;
    delete from public.hasp_waiter where name = l.name;
    delete from public.hasp_holder where name = l.name;
    delete from public.hasp_lock where name = l.name;
  end loop;
  delete from public.hasp_tombstone where holder in (
    select holder from public.hasp_tombstone where until < moment limit p_count for update skip locked);
  return case when seen = p_count then last_name else '' end;
end $$;
