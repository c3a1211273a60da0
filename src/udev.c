/* What hwloc's archive asks of libudev: the names of disks, on which no result depends. Answered here, so that the
 * program starts on machines without that library: there is no udev.
 * SPDX-License-Identifier: MIT */

struct udev;
struct udev_device;

struct udev *udev_new(void);
struct udev *udev_unref(struct udev *udev);
struct udev_device *udev_device_new_from_subsystem_sysname(struct udev *udev, const char *subsystem,
                                                           const char *name);
const char *udev_device_get_property_value(struct udev_device *device, const char *key);
struct udev_device *udev_device_unref(struct udev_device *device);

struct udev *udev_new(void)
{
    return 0;
}

struct udev *udev_unref(struct udev *udev)
{
    return (void)udev, (struct udev *)0;
}

struct udev_device *udev_device_new_from_subsystem_sysname(struct udev *udev, const char *subsystem,
                                                           const char *name)
{
    return (void)udev, (void)subsystem, (void)name, (struct udev_device *)0;
}

const char *udev_device_get_property_value(struct udev_device *device, const char *key)
{
    return (void)device, (void)key, (const char *)0;
}

struct udev_device *udev_device_unref(struct udev_device *device)
{
    return (void)device, (struct udev_device *)0;
}
