package io.dmodc.manager.northbound.answer;

/**
 * One cable between two switches.
 *
 * @param a the end with the lower GUID
 * @param live both ends name each other and say up, and routes may use the link
 * @param heldDown up on the metal but kept out of the routes because it flapped
 * @param unheard one end or both have carrier and hear no hellos; the cable is dead if both do
 * @param flaps how often it went down lately, as the end says that saw more
 */
public record LinkAnswer(CableEnd a, CableEnd b, boolean live, boolean heldDown, boolean unheard, int flaps) {}
